import Foundation
import Glibc

/// A gateway in a temporary folder on ports of its own.
final class Gateway {
    let folder: URL
    let publicPort = freePort()
    let adminPort = freePort()
    let metricsPort = freePort()
    private(set) var running: RunningProgram?

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("gateway-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let configuration = """
            api:
              public_interface: "127.0.0.1:\(publicPort)"
              admin_interface: "127.0.0.1:\(adminPort)"
              metrics_interface: "127.0.0.1:\(metricsPort)"
              admin_interface_authentication: false
              metrics_interface_authentication: false
            storage:
              path: data
            """
        try Data(configuration.utf8).write(to: folder.appendingPathComponent("gateway.yaml"))
        try start()
    }

    deinit {
        running?.signal(SIGKILL)
        try? FileManager.default.removeItem(at: folder)
    }

    private func launch() throws -> RunningProgram {
        try Program.gateway.start(["serve", "--config", folder.appendingPathComponent("gateway.yaml").path])
    }

    /// Strikes a gateway that is starting.
    func startAndKill(after microseconds: UInt32) throws {
        let starting = try launch()
        usleep(microseconds)
        starting.signal(SIGKILL)
        _ = starting.finish(limit: 15)
    }

    func start() throws {
        running = try launch()
        let isReady = eventually {
            (try? request("GET", "/", port: publicPort))?.status == 200
                && (try? request("GET", "/", port: adminPort))?.status == 200
        }
        guard isReady else { throw Failure(text: "the gateway did not come up: \(kill().err)") }
    }

    @discardableResult
    func kill(_ signal: Int32 = SIGKILL) -> Program.Output {
        guard let running else { return Program.Output(status: 0, out: "", err: "") }
        running.signal(signal)
        self.running = nil
        return running.finish(limit: 15)
    }

    var url: String { "ws://127.0.0.1:\(publicPort)/db" }

    // MARK: - REST

    struct Answer {
        let status: Int
        let body: Data

        var json: Any? { try? JSONSerialization.jsonObject(with: body, options: .fragmentsAllowed) }
        var object: [String: Any] { json as? [String: Any] ?? [:] }
    }

    func admin(_ method: String, _ path: String, _ body: String? = nil) throws -> Answer {
        try request(method, path, body, port: adminPort)
    }

    func request(_ method: String, _ path: String, _ body: String? = nil, port: Int) throws -> Answer {
        let headers = body == nil ? [] : [("Content-Type", "application/json")]
        let answer = try HTTP.request(
            method, url: "http://127.0.0.1:\(port)\(path)", headers: headers, body: body.map { Data($0.utf8) })
        return Answer(status: answer.status, body: answer.body)
    }

    struct Failure: Error, CustomStringConvertible {
        let text: String
        var description: String { text }
    }

    // MARK: - What most tests want

    static let collection = "field.inspections"

    /// A database with one collection whose documents name their channels, and a user for each name.
    ///
    /// - Parameter more: further members of its configuration.
    func makeDatabase(users: [String: [String]], more: String = "") throws {
        let sync = "function(doc,oldDoc){if(doc.closed)throw({forbidden:'closed'});channel(doc.channels);}"
        let answer = try admin(
            "PUT", "/db/", #"{"scopes":{"field":{"collections":{"inspections":{"sync":"\#(sync)"}}}}\#(more)}"#)
        guard answer.status == 201 else {
            throw Failure(text: "PUT /db/ answered \(answer.status) \(String(decoding: answer.body, as: UTF8.self))")
        }
        for (name, channels) in users { try setUser(name, channels) }
    }

    func setUser(_ name: String, _ channels: [String]) throws {
        let list = channels.map { "\"\($0)\"" }.joined(separator: ",")
        let access = #"{"field":{"inspections":{"admin_channels":[\#(list)]}}}"#
        let answer = try admin(
            "PUT", "/db/_user/\(name)", #"{"password":"secret","collection_access":\#(access)}"#)
        guard [200, 201].contains(answer.status) else { throw Failure(text: "PUT _user answered \(answer.status)") }
    }

    func documentCount() throws -> Int {
        try admin("GET", "/db.\(Self.collection)/_all_docs").object["total_rows"] as? Int ?? -1
    }
}

/// A laptop's database folder, worked on with `fieldbook db`.
final class Laptop {
    let folder: URL
    private let passwordFile: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("laptop-\(UUID().uuidString)")
        passwordFile = folder.appendingPathExtension("password")
        try Data("secret\n".utf8).write(to: passwordFile)
        chmod(passwordFile.path, 0o600)
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
        try? FileManager.default.removeItem(at: passwordFile)
    }

    @discardableResult
    func db(_ arguments: String..., input: String = "") throws -> Program.Output {
        try Program.fieldbook.run(
            ["db", arguments[0], folder.path] + arguments.dropFirst(), input: input)
    }

    /// Documents by id, in one transaction.
    func put(_ documents: [(id: String, body: String)]) throws {
        let lines = documents.map { #"{"_id":"\#($0.id)",\#($0.body.dropFirst())"# }.joined(separator: "\n")
        let output = try db("put", Gateway.collection, "--lines", input: lines + "\n")
        guard output.status == 0 else { throw Gateway.Failure(text: "put failed: \(output.err)") }
    }

    func ids() throws -> [String] {
        try db("ls", Gateway.collection, "--json").events.compactMap { $0["_id"] as? String }.sorted()
    }

    func arguments(
        _ direction: String, _ gateway: Gateway, user: String, _ more: [String] = [], through port: Int? = nil
    ) -> [String] {
        let url = port.map { "ws://127.0.0.1:\($0)/db" } ?? gateway.url
        return [
            "db", direction, folder.path, "--url", url, "--collections", Gateway.collection, "--user", user,
            "--password-file", passwordFile.path, "--json",
        ] + more
    }

    func sync(
        _ direction: String, _ gateway: Gateway, user: String, _ more: [String] = [], through port: Int? = nil
    ) throws -> Program.Output {
        try Program.fieldbook.run(arguments(direction, gateway, user: user, more, through: port))
    }

    func start(
        _ direction: String, _ gateway: Gateway, user: String, _ more: [String] = [], through port: Int? = nil
    ) throws -> RunningProgram {
        try Program.fieldbook.start(arguments(direction, gateway, user: user, more, through: port))
    }
}
