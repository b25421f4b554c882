import Foundation
import Glibc
import Testing

/// `fieldbook sync --continuous` as a field laptop has it: as a process of its own beside the shell.
@Suite(.serialized) struct SyncServiceTests {
    private let gateway: Gateway
    private let mara: FieldLaptop

    init() throws {
        gateway = try Gateway()
        try gateway.makeFieldDatabase()
        try gateway.setFieldUser("mara", ["district.hill"])
        mara = try FieldLaptop()
    }

    private func becomes(_ state: String) -> Bool {
        eventually(within: 30) { mara.serviceState == state }
    }

    private func sites() throws -> Int {
        try gateway.admin("GET", "/db.field.sites/_all_docs").object["total_rows"] as? Int ?? -1
    }

    private func newSite(_ name: String) throws {
        #expect(try mara.run("new", "site", name, "district=hill").status == 0)
    }

    private func end(_ service: RunningProgram) -> Program.Output {
        service.signal(SIGTERM)
        return service.finish(limit: 20)
    }

    /// Before a user has signed in and before there is a gateway, while it starts and stops, to a clean end.
    @Test(.timeLimit(.minutes(4))) func itStartsBeforeThereIsAnythingAndFollowsTheGateway() throws {
        let service = try mara.start("sync", "--continuous")
        #expect(becomes("waiting"))
        #expect(try mara.syncStatus()["state"] as? String == "waiting")
        #expect((try mara.syncStatus()["why"] as? String)?.contains("No user has signed in yet") == true)
        gateway.kill()
        let login = try mara.run(
            "login", gateway.url, "mara", "--offline", "--password-file", try mara.file("password", "secret\n"))
        #expect(login.out.contains("The sync service uses it from now on."))
        #expect(becomes("offline"))
        try newSite("Mill")
        let asked = try mara.run("sync")
        #expect(asked.status == 1 && asked.err.contains("the sync service goes on when the gateway is back"))
        try gateway.start()
        #expect(try eventually(within: 30) { try sites() == 1 })
        #expect(becomes("idle"))
        #expect(try mara.run("sync").out == "Everything is exchanged already.\n")
        gateway.kill()
        #expect(becomes("offline"))
        try gateway.start()
        #expect(becomes("idle"))
        let output = end(service)
        #expect(output.status == 0, "\(output.err)")
        #expect(output.out.contains("Sent 1 site."))
        #expect(output.out.hasSuffix("Stopped. The next sync goes on from here.\n"))
        #expect(try mara.syncStatus()["service"] as? String == "stopped")
        #expect(try mara.syncStatus()["lastExchange"] != nil)
    }

    @Test(.timeLimit(.minutes(2))) func aRecordOfAnotherProcessGoesUpWithinASecond() throws {
        _ = try mara.login(gateway, "mara")
        let service = try mara.start("sync", "--continuous")
        #expect(becomes("idle"))
        try newSite("Mill")
        let begin = ContinuousClock.now
        #expect(try eventually { try sites() == 1 })
        // A machine that runs tests is slower than a laptop.
        #expect(ContinuousClock.now - begin < .seconds(3))
        #expect(end(service).status == 0)
    }

    @Test(.timeLimit(.minutes(3))) func aNewPasswordIsUsedWithoutARestart() throws {
        _ = try mara.login(gateway, "mara")
        let service = try mara.start("sync", "--continuous")
        #expect(becomes("idle"))
        try gateway.setFieldUser("mara", ["district.hill"], password: "opensesame-7")
        gateway.kill(SIGTERM)
        try gateway.start()
        #expect(becomes("waiting"))
        try newSite("Mill")
        let refused = try mara.run("sync")
        #expect(refused.status == 1 && refused.err.contains("does not accept your name and password"))
        #expect(try mara.login(gateway, "mara", password: "opensesame-7").status == 0)
        #expect(try eventually { try sites() == 1 })
        #expect(becomes("idle"))
        let output = end(service)
        #expect(output.status == 0)
        #expect(!(output.out + output.err).contains("opensesame-7"))
    }

    /// Where an operator hands out passwords in files.
    @Test(.timeLimit(.minutes(3)), arguments: [true, false])
    func aPasswordFileIsReadAgain(isReplaced: Bool) throws {
        _ = try mara.login(gateway, "mara")
        let file = try mara.file("handed-out", "wrong\n")
        let service = try mara.start("sync", "--continuous", "--password-file", file)
        #expect(becomes("waiting"))
        if isReplaced {
            _ = try mara.file("new", "secret\n")
            #expect(rename(mara.path("new"), file) == 0)
        } else {
            // A link whose target changes elsewhere shows nothing here.
            _ = try mara.file("elsewhere", "wrong\n")
            unlink(file)
            #expect(symlink(mara.path("elsewhere"), file) == 0)
            _ = try mara.file("elsewhere", "secret\n")
            service.signal(SIGHUP)
        }
        #expect(becomes("idle"))
        #expect(end(service).status == 0)
    }

    @Test(.timeLimit(.minutes(2))) func thereIsOneServiceAndAKilledOneIsNoticed() throws {
        _ = try mara.login(gateway, "mara")
        let service = try mara.start("sync", "--continuous")
        #expect(becomes("idle"))
        let second = try mara.run("sync", "--continuous")
        #expect(second.status == 1 && second.err.contains("runs already"))
        service.signal(SIGKILL)
        _ = service.finish(limit: 10)
        #expect(try mara.syncStatus()["service"] as? String == "gone")
        #expect(try mara.run("status").out.contains("the service is not running: it was killed"))
        #expect(try mara.run("sync").status == 0)
        let third = try mara.start("sync", "--continuous")
        #expect(try eventually { try mara.syncStatus()["service"] as? String == "running" })
        #expect(becomes("idle"))
        #expect(end(third).status == 0)
    }

    @Test(.timeLimit(.minutes(2))) func systemdHearsOfItAll() throws {
        let systemd = try NotifySocket()
        _ = try mara.login(gateway, "mara")
        gateway.kill()
        let service = try mara.start(
            "sync", "--continuous", environment: ["NOTIFY_SOCKET": systemd.path, "WATCHDOG_USEC": "200000"])
        #expect(try systemd.hears("READY=1"))
        #expect(try systemd.hears("STATUS=Offline: The gateway cannot be reached"))
        // It comes again and again, so that its order does not matter.
        #expect(try systemd.hears("WATCHDOG=1"))
        try gateway.start()
        #expect(try systemd.hears("STATUS=Idle: everything is exchanged"))
        service.signal(SIGHUP)
        #expect(try systemd.hears("RELOADING=1\nMONOTONIC_USEC="))
        #expect(try systemd.hears("READY=1"))
        #expect(try systemd.hears("WATCHDOG=1"))
        #expect(end(service).status == 0)
        #expect(try systemd.hears("STOPPING=1"))
    }
}

/// systemd's end of its socket.
private final class NotifySocket {
    let path: String
    private let descriptor: Int32

    init() throws {
        path = FileManager.default.temporaryDirectory.appendingPathComponent("n-\(UUID().uuidString.prefix(8))").path
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        let length = socklen_t(MemoryLayout<sockaddr_un>.size)
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) }
        }
        try #require(status == 0)
        var limit = timeval(tv_sec: 20, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit {
        close(descriptor)
        unlink(path)
    }

    /// Reads on until there is a message that begins so.
    func hears(_ beginning: String, within limit: TimeInterval = 20) throws -> Bool {
        let deadline = Date().addingTimeInterval(limit)
        var buffer = [UInt8](repeating: 0, count: 2_048)
        while Date() < deadline {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count > 0 else { return false }
            if String(decoding: buffer[..<count], as: UTF8.self).hasPrefix(beginning) { return true }
        }
        return false
    }
}
