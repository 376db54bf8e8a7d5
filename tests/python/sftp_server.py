"""A server of SFTP in a thread, with the files of one folder, for tests. User and password: "reader"."""
from __future__ import annotations

import os
import socket
import threading
from pathlib import Path
from typing import Any

import paramiko


class Login(paramiko.ServerInterface):
    def check_auth_password(self, username: str, password: str) -> int:
        good = username == password == "reader"
        return paramiko.AUTH_SUCCESSFUL if good else paramiko.AUTH_FAILED

    def check_channel_request(self, kind: str, channel: int) -> int:
        return paramiko.OPEN_SUCCEEDED

    def get_allowed_auths(self, username: str) -> str:
        return "password"


class Files(paramiko.SFTPServerInterface):
    folder = Path()

    def stat(self, path: str) -> Any:
        try:
            return paramiko.SFTPAttributes.from_stat(os.stat(self.folder / path.lstrip("/")))
        except OSError as error:
            return paramiko.SFTPServer.convert_errno(error.errno)

    lstat = stat

    def list_folder(self, path: str) -> Any:
        folder = self.folder / path.lstrip("/")
        return [paramiko.SFTPAttributes.from_stat(os.stat(one), one.name) for one in sorted(folder.iterdir())]

    def open(self, path: str, flags: int, attributes: Any) -> Any:
        handle = paramiko.SFTPHandle(flags)
        try:
            handle.readfile = open(self.folder / path.lstrip("/"), "rb")  # type: ignore[attr-defined]
        except OSError as error:
            return paramiko.SFTPServer.convert_errno(error.errno)
        handle.stat = lambda: self.stat(path)  # type: ignore[method-assign]
        return handle


class Server:
    """`with Server(folder) as server: server.base` is the address of the folder."""

    def __init__(self, folder: Path) -> None:
        self.files = type("FilesOfFolder", (Files,), {"folder": folder})
        self.key = paramiko.RSAKey.generate(2048)
        self.transports: list[paramiko.Transport] = []

    def __enter__(self) -> Server:
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.base = f"sftp://reader:reader@127.0.0.1:{self.socket.getsockname()[1]}"
        threading.Thread(target=self.serve, daemon=True).start()
        return self

    def serve(self) -> None:
        while True:
            try:
                connection, _ = self.socket.accept()
            except OSError:
                return
            transport = paramiko.Transport(connection)
            transport.add_server_key(self.key)
            transport.set_subsystem_handler("sftp", paramiko.SFTPServer, self.files)
            transport.start_server(server=Login())
            self.transports.append(transport)

    def __exit__(self, *_: object) -> None:
        self.socket.close()
        for transport in self.transports:
            transport.close()
