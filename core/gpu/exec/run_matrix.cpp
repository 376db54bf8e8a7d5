#include "core/gpu/exec/handlers.h"
