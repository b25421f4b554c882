import Foundation
import Glibc

/// A worker's folder, worked on with the commands of the shell.
final class FieldLaptop {
    let root: URL
    /// `nil` where the key is in a file.
    private let passphraseFile: URL?

    /// - Parameter usesPassphrase: instead of a key file. Each command then computes for half a second for its key alone.
    init(usesPassphrase: Bool = false) throws {
        root = FileManager.default.temporaryDirectory.appendingPathComponent("worker-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
        let passphrase = root.appendingPathComponent("passphrase")
        passphraseFile = usesPassphrase ? passphrase : nil
        if usesPassphrase {
            try Data("correct horse battery\n".utf8).write(to: passphrase)
            chmod(passphrase.path, 0o600)
        }
        let made = try usesPassphrase ? run("init") : run("init", "--key-file")
        guard made.status == 0 else { throw Gateway.Failure(text: "init failed: \(made.err)") }
    }

    deinit { try? FileManager.default.removeItem(at: root) }

    var folder: String { root.appendingPathComponent("records").path }

    func path(_ name: String) -> String { root.appendingPathComponent(name).path }

    func file(_ name: String, _ text: String) throws -> String {
        try Data(text.utf8).write(to: root.appendingPathComponent(name))
        chmod(path(name), 0o600)
        return path(name)
    }

    func arguments(_ command: [String] = []) -> [String] {
        command + ["--folder", folder] + (passphraseFile.map { ["--passphrase-file", $0.path] } ?? [])
    }

    @discardableResult
    func run(_ command: String..., input: String = "", limit: TimeInterval = 60) throws -> Program.Output {
        try Program.fieldbook.run(arguments(command), input: input, limit: limit)
    }

    func start(_ command: String..., environment: [String: String] = [:]) throws -> RunningProgram {
        try Program.fieldbook.start(arguments(command), environment: environment)
    }

    /// A command, or without words the shell, in a terminal; there is no passphrase to be typed.
    func terminal(
        _ command: String..., columns: Int = 80, rows: Int = 24, environment: [String: String] = [:]
    ) throws -> TmuxTerminal {
        try TmuxTerminal(command: arguments(command), columns: columns, rows: rows, environment: environment)
    }

    /// What the sync service has reported last, without the time that a command takes.
    var serviceState: String? {
        let file = URL(fileURLWithPath: folder).appendingPathComponent("sync/state.json")
        guard let data = try? Data(contentsOf: file),
            let notes = try? JSONSerialization.jsonObject(with: data) as? [String: Any],
            let state = (notes["service"] as? [String: Any])?["state"] as? [String: Any]
        else { return nil }
        return state["activity"] as? String
    }

    /// What `status` says of the sync service.
    func syncStatus() throws -> [String: Any] {
        try run("status", "--json").events.first?["sync"] as? [String: Any] ?? [:]
    }

    func login(_ gateway: Gateway, _ user: String, password: String = "secret") throws -> Program.Output {
        try run("login", gateway.url, user, "--password-file", try file("password", password + "\n"))
    }

    /// The ids of a collection's records.
    func ids(_ kind: String) throws -> [String] {
        try run("list", kind, "--json").events.compactMap { $0["_id"] as? String }.sorted()
    }

    /// How many records wait to be sent.
    func waiting() throws -> Int {
        let records = try run("status", "--json").events.first?["records"] as? [String: [String: Int]] ?? [:]
        return records.values.compactMap { $0["waiting"] }.reduce(0, +)
    }
}

extension Gateway {
    static let kinds = ["sites", "inspections", "findings", "forms", "assignments", "responses"]

    /// The database of the field application.
    ///
    /// - Parameters:
    ///   - sync: the sync function of all collections; by default each record goes to the channels it names.
    ///   - kinds: its collections.
    func makeFieldDatabase(
        sync: String = "function(doc) { channel(doc.channels); }", kinds: [String] = Gateway.kinds
    ) throws {
        let collections = kinds.map { "\"\($0)\": {\"sync\": \(Self.quoted(sync))}" }.joined(separator: ",")
        let answer = try admin("PUT", "/db/", #"{"scopes":{"field":{"collections":{\#(collections)}}}}"#)
        guard answer.status == 201 else { throw Failure(text: "PUT /db/ answered \(answer.status)") }
    }

    func setFieldUser(
        _ name: String, _ channels: [String], password: String = "secret", roles: [String] = [],
        kinds: [String] = Gateway.kinds
    ) throws {
        for role in roles {
            let answer = try admin("PUT", "/db/_role/\(role)", "{}")
            guard [200, 201].contains(answer.status) else { throw Failure(text: "PUT _role answered \(answer.status)") }
        }
        let held = roles.map { "\"\($0)\"" }.joined(separator: ",")
        let list = channels.map { "\"\($0)\"" }.joined(separator: ",")
        let access = kinds.map { "\"\($0)\": {\"admin_channels\": [\(list)]}" }.joined(separator: ",")
        let answer = try admin(
            "PUT", "/db/_user/\(name)",
            #"{"password":"\#(password)","admin_roles":[\#(held)],"collection_access":{"field":{\#(access)}}}"#)
        guard [200, 201].contains(answer.status) else { throw Failure(text: "PUT _user answered \(answer.status)") }
    }

    private static func quoted(_ text: String) -> String {
        "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n") + "\""
    }
}
