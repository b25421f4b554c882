import Foundation
import Glibc
import Testing

/// A gateway that `init` set up, with TLS and passwords, moved to free ports.
final class Station {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("station-\(UUID().uuidString)")
    let publicPort = freePort()
    let adminPort = freePort()
    let metricsPort = freePort()
    let firstOutput: Program.Output
    private var running: RunningProgram?

    init() throws {
        firstOutput = try Program.gateway.run(["init", "--folder", folder.path])
        let text = try String(contentsOfFile: config, encoding: .utf8)
            .replacing("0.0.0.0:4984", with: "127.0.0.1:\(publicPort)")
            .replacing(":4985", with: ":\(adminPort)").replacing(":4986", with: ":\(metricsPort)")
        try Data(text.utf8).write(to: URL(fileURLWithPath: config))
    }

    deinit {
        running?.signal(SIGKILL)
        try? FileManager.default.removeItem(at: folder)
    }

    var config: String { folder.path + "/gateway.yaml" }
    var password: String { firstOutput.out.firstMatch(of: /Password: +(\S+)/).map { String($0.output.1) } ?? "" }

    func serve() throws {
        let program = try Program.gateway.start(["serve", "--config", config])
        running = program
        let isUp = try eventually { try curl("/", port: publicPort).hasSuffix(" 200") }
        try #require(isUp, "\(program.finish(limit: 0).err)")
    }

    func signal(_ signal: Int32) throws { try #require(running).signal(signal) }

    func stop(_ signal: Int32 = SIGTERM) throws -> Program.Output {
        let program = try #require(running)
        running = nil
        program.signal(signal)
        return program.finish(limit: 20)
    }

    /// The second signal comes when the first has been noticed; before that they would be one.
    func stopTwice() throws -> Program.Output {
        let program = try #require(running)
        running = nil
        program.signal(SIGTERM)
        #expect(eventually { program.errorsSoFar.contains("Shutting down") })
        program.signal(SIGTERM)
        return program.finish(limit: 20)
    }

    func metrics() throws -> String {
        try Self.run(
            "curl", "--silent", "--max-time", "20", "--user", "admin:\(password)", "--cacert",
            folder.path + "/cert.pem", "https://127.0.0.1:\(metricsPort)/metrics")
    }

    private static func run(_ arguments: String...) throws -> String {
        try RunningProgram(URL(fileURLWithPath: "/usr/bin/env"), arguments, input: "").finish(limit: 30).out
    }

    /// The body, a space, and the status.
    func curl(_ path: String, port: Int, _ more: String...) throws -> String {
        let arguments = [
            "curl", "--silent", "--max-time", "20", "--cacert", folder.path + "/cert.pem", "--write-out",
            " %{http_code}",
        ]
        return try RunningProgram(
            URL(fileURLWithPath: "/usr/bin/env"), arguments + more + ["https://127.0.0.1:\(port)\(path)"], input: ""
        ).finish(limit: 30).out
    }

    /// A file in the folder; returns its path.
    func file(_ name: String, _ text: String) throws -> String {
        let file = folder.appendingPathComponent(name)
        try Data(text.utf8).write(to: file)
        chmod(file.path, 0o600)
        return file.path
    }

    /// Whether the public port shows a certificate for this name.
    func isReached(as host: String) throws -> Bool {
        try Self.run(
            "curl", "--silent", "--max-time", "20", "--cacert", folder.path + "/authority.pem", "--resolve",
            "\(host):\(publicPort):127.0.0.1", "--output", "/dev/null", "--write-out", "%{http_code}",
            "https://\(host):\(publicPort)/"
        ) == "200"
    }

    @discardableResult
    func command(_ arguments: String...) throws -> Program.Output {
        try Program.gateway.run(arguments + ["--config", config, "--database", "field"])
    }
}
