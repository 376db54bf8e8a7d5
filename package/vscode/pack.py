#!/usr/bin/env python3
"""Packs the VS Code extension: pack.py warpwalk.vsix. Install it with: code --install-extension warpwalk.vsix"""
import json
import pathlib
import sys
import zipfile
from xml.sax.saxutils import escape, quoteattr

HERE = pathlib.Path(__file__).resolve().parent
TYPES = """<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension=".json"
ContentType="application/json"/><Default Extension=".js" ContentType="application/javascript"/><Default Extension=".md"
ContentType="text/markdown"/><Default Extension=".txt" ContentType="text/plain"/><Default Extension=".vsixmanifest"
ContentType="text/xml"/></Types>
"""
MANIFEST = """<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
<Metadata><Identity Language="en-US" Id={name} Version={version} Publisher={publisher}/>
<DisplayName>{title}</DisplayName><Description xml:space="preserve">{description}</Description>
<Tags>{tags}</Tags><Categories>Debuggers</Categories><License>extension/LICENSE.txt</License><Properties>
<Property Id="Microsoft.VisualStudio.Code.Engine" Value={engine}/></Properties></Metadata>
<Installation><InstallationTarget Id="Microsoft.VisualStudio.Code"/></Installation><Dependencies/>
<Assets><Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true"/>
<Asset Type="Microsoft.VisualStudio.Services.Content.Details" Path="extension/README.md" Addressable="true"/>
<Asset Type="Microsoft.VisualStudio.Services.Content.License" Path="extension/LICENSE.txt" Addressable="true"/></Assets>
</PackageManifest>
"""


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: pack.py OUT.vsix")
    package = json.loads((HERE / "package.json").read_text())
    manifest = MANIFEST.format(
        name=quoteattr(package["name"]), version=quoteattr(package["version"]),
        publisher=quoteattr(package["publisher"]), title=escape(package["displayName"]),
        tags=escape(",".join(package["keywords"])), description=escape(package["description"]),
        engine=quoteattr(package["engines"]["vscode"]))
    files = {"[Content_Types].xml": TYPES, "extension.vsixmanifest": manifest,
             "extension/LICENSE.txt": (HERE.parents[1] / "LICENSE").read_text(),
             **{f"extension/{name}": (HERE / name).read_text()
                for name in ("package.json", "README.md", "extension.js", "picture.js")}}
    with zipfile.ZipFile(sys.argv[1], "w", zipfile.ZIP_DEFLATED) as out:
        for name, text in files.items():
            # The same bytes whenever it is packed.
            out.writestr(zipfile.ZipInfo(name, (2026, 1, 1, 0, 0, 0)), text, zipfile.ZIP_DEFLATED)


if __name__ == "__main__":
    main()
