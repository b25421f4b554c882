import Foundation
import Glibc
import Testing

@testable import FieldShell

/// What systemd hears, over a real socket.
@Suite struct SystemdNotifierTests {
    @Test(arguments: [false, true]) func everyMessageArrives(isAbstract: Bool) throws {
        let socket = try NotifySocket(isAbstract: isAbstract)
        let notifier = try #require(SystemdNotifier(["NOTIFY_SOCKET": socket.name]))
        try notifier.send(.ready)
        try notifier.send(.status("Offline: nobody\nanswers at café.example"))
        try notifier.send(.reloading)
        try notifier.send(.alive)
        try notifier.send(.stopping)
        #expect(try socket.receive() == "READY=1")
        #expect(try socket.receive() == "STATUS=Offline: nobody answers at café.example")
        #expect(try socket.receive().contains(/^RELOADING=1\nMONOTONIC_USEC=[1-9][0-9]+$/))
        #expect(try socket.receive() == "WATCHDOG=1")
        #expect(try socket.receive() == "STOPPING=1")
    }

    @Test(arguments: ["", "@", "relative", "vsock:2:1234", "/" + String(repeating: "x", count: 120)])
    func withoutAUsableSocketNobodyIsNotified(name: String) {
        #expect(SystemdNotifier(["NOTIFY_SOCKET": name]) == nil)
        #expect(SystemdNotifier([:]) == nil)
    }

    @Test func aSocketThatIsGoneIsAnError() throws {
        let notifier = try #require(SystemdNotifier(["NOTIFY_SOCKET": "/nonexistent/notify"]))
        #expect(throws: NotifyError.self) { try notifier.send(.ready) }
    }

    @Test func theWatchdogIsForTheProcessItNames() throws {
        let variables = ["NOTIFY_SOCKET": "/run/notify", "WATCHDOG_USEC": "30000000"]
        #expect(SystemdNotifier(variables)?.watchdogInterval == 30)
        let named = variables.merging(["WATCHDOG_PID": "17"]) { $1 }
        #expect(SystemdNotifier(named, process: 17)?.watchdogInterval == 30)
        #expect(try #require(SystemdNotifier(named, process: 18)).watchdogInterval == nil)
        #expect(try #require(SystemdNotifier(["NOTIFY_SOCKET": "/run/notify"])).watchdogInterval == nil)
    }
}

/// systemd's end.
private final class NotifySocket {
    let name: String
    private let descriptor: Int32

    init(isAbstract: Bool) throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("n-\(UUID().uuidString.prefix(8))")
            .path
        name = (isAbstract ? "@" : "") + path
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = (isAbstract ? [0] : []) + Array(path.utf8)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let length = socklen_t(2 + bytes.count + (isAbstract ? 0 : 1))
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) }
        }
        try #require(status == 0)
        var limit = timeval(tv_sec: 10, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit {
        close(descriptor)
        if !name.hasPrefix("@") { unlink(name) }
    }

    func receive() throws -> String {
        var buffer = [UInt8](repeating: 0, count: 1_024)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        try #require(count > 0)
        return String(decoding: buffer[..<count], as: UTF8.self)
    }
}
