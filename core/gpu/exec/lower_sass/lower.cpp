#include "core/gpu/exec/lower_sass/lowering.h"
#include "core/gpu/exec/machine/handlers.h"

namespace warpwalk::gpu {

using sass::Opcode;

/// Lowers the current instruction with the function of its family.
void MachineCodeLowering::lower() {
  refuse_what_is_not_executed();
  switch (i_->opcode) {
    case Opcode::iadd3:
    case Opcode::uiadd3:
    case Opcode::viadd:
    case Opcode::imad:
    case Opcode::uimad:
    case Opcode::lea:
    case Opcode::ulea:
    case Opcode::lop3:
    case Opcode::ulop3:
    case Opcode::shf:
    case Opcode::ushf:
    case Opcode::isetp:
    case Opcode::uisetp:
    case Opcode::imnmx:
    case Opcode::vimnmx:
    case Opcode::viaddmnmx:
    case Opcode::prmt:
    case Opcode::uprmt:
    case Opcode::sgxt:
    case Opcode::usgxt:
    case Opcode::bmsk:
    case Opcode::popc:
    case Opcode::upopc:
    case Opcode::brev:
    case Opcode::ubrev:
    case Opcode::flo:
    case Opcode::uflo:
    case Opcode::iabs:
    case Opcode::vabsdiff:
    case Opcode::vabsdiff4:
    case Opcode::idp:
    case Opcode::i2i:
    case Opcode::i2ip: return lower_integer();
    case Opcode::fadd:
    case Opcode::fmul:
    case Opcode::ffma:
    case Opcode::dadd:
    case Opcode::dmul:
    case Opcode::dfma:
    case Opcode::fset:
    case Opcode::fsetp:
    case Opcode::dsetp:
    case Opcode::fsel:
    case Opcode::fmnmx:
    case Opcode::fchk:
    case Opcode::mufu: return lower_float();
    case Opcode::hadd2:
    case Opcode::hmul2:
    case Opcode::hfma2:
    case Opcode::hmnmx2:
    case Opcode::hset2:
    case Opcode::hsetp2: return lower_half();
    case Opcode::f2f:
    case Opcode::f2fp:
    case Opcode::f2ip:
    case Opcode::f2i:
    case Opcode::i2f:
    case Opcode::i2fp:
    case Opcode::frnd: return lower_convert();
    case Opcode::mov:
    case Opcode::umov:
    case Opcode::sel:
    case Opcode::usel:
    case Opcode::s2r:
    case Opcode::s2ur:
    case Opcode::cs2r:
    case Opcode::r2ur:
    case Opcode::lepc:
    case Opcode::plop3:
    case Opcode::uplop3:
    case Opcode::p2r:
    case Opcode::r2p: return lower_move();
    case Opcode::ld:
    case Opcode::ldg:
    case Opcode::lds:
    case Opcode::ldl:
    case Opcode::st:
    case Opcode::stg:
    case Opcode::sts:
    case Opcode::stl:
    case Opcode::ldc:
    case Opcode::uldc:
    case Opcode::ldgsts:
    case Opcode::ldgdepbar:
    case Opcode::depbar:
    case Opcode::qspc:
    case Opcode::membar:
    case Opcode::fence:
    case Opcode::cctl:
    case Opcode::errbar:
    case Opcode::cgaerrbar: return lower_memory();
    case Opcode::tex:
    case Opcode::tld:
    case Opcode::tld4:
    case Opcode::txd:
    case Opcode::txq: return lower_texture();
    case Opcode::suld:
    case Opcode::sust:
    case Opcode::sured: return lower_surface();
    case Opcode::atom: return lower_atomic(ptx::Space::generic, true);
    case Opcode::atomg: return lower_atomic(ptx::Space::global, true);
    case Opcode::atoms: return i_->has(sass::Word::arrive) ? lower_mbarrier() : lower_atomic(ptx::Space::shared, true);
    case Opcode::red:
    case Opcode::redg: return lower_atomic(ptx::Space::global, false);
    case Opcode::bra:
    case Opcode::brx:
    case Opcode::call:
    case Opcode::ret:
    case Opcode::exit:
    case Opcode::bssy:
    case Opcode::bsync:
    case Opcode::break_:
    case Opcode::bmov:
    case Opcode::warpsync:
    case Opcode::endcollective:
    case Opcode::yield:
    case Opcode::nanosleep:
    case Opcode::nop:
    case Opcode::preexit:
    case Opcode::acqbulk:
    case Opcode::bpt:
    case Opcode::bar:
    case Opcode::ucgabar_arv:
    case Opcode::ucgabar_wait:
    case Opcode::b2r: return lower_control();
    case Opcode::shfl:
    case Opcode::vote:
    case Opcode::voteu:
    case Opcode::match:
    case Opcode::redux:
    case Opcode::elect: return lower_exchange();
    case Opcode::hmma:
    case Opcode::imma:
    case Opcode::dmma: return lower_matrix();
    case Opcode::utmaldg:
    case Opcode::utmastg:
    case Opcode::utmaredg: return lower_tensor_copy();
    case Opcode::ublkcp:
    case Opcode::ublkred: return lower_contiguous_copy();
    case Opcode::stas:
    case Opcode::redas: return lower_async_store();
    case Opcode::utmapf:
    case Opcode::ublkpf:
    case Opcode::utmacctl: emit(handlers::no_operation); return;  // caches
    case Opcode::utmacmdflush: emit(handlers::commit_copies); return;
    case Opcode::hgmma:
    case Opcode::igmma:
    case Opcode::qgmma: return lower_group_product();
    case Opcode::usetmaxreg: return lower_register_count();
    case Opcode::warpgroup: return lower_warp_group();
    case Opcode::syncs: return lower_mbarrier();
    case Opcode::ldsm:
    case Opcode::stsm:
    case Opcode::movm: return lower_matrix_move();
    default: refuse();
  }
}

}  // namespace warpwalk::gpu
