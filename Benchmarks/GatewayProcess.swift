import Foundation
import Glibc

/// The gateway as an operator runs it: the program, a configuration file, a folder.
final class GatewayProcess {
    static let password = "bench-password"
    static let user = "bench"
    /// The function with which most people begin; the gateway knows it, and needs no script engine for it.
    static let syncFunction = "function(doc){channel(doc.channels)}"
    /// The kind of function that most people use later.
    static let scriptedFunction = """
        function(doc,oldDoc){if(!doc.type)throw({forbidden:'no type'});requireAccess(doc.channels);channel(doc.channels)}
        """

    let publicPort: Int
    private let adminPort: Int
    private let folder: TemporaryFolder
    private let process = Process()

    init() throws {
        folder = try TemporaryFolder()
        publicPort = try LoopbackAddress.freePort()
        adminPort = try LoopbackAddress.freePort()
        let configuration = """
            api:
              public_interface: "127.0.0.1:\(publicPort)"
              admin_interface: "127.0.0.1:\(adminPort)"
              metrics_interface: "127.0.0.1:\(try LoopbackAddress.freePort())"
              admin_interface_authentication: false
            storage:
              path: data
            """
        let file = folder.url.appendingPathComponent("gateway.yaml")
        try Data(configuration.utf8).write(to: file)
        process.executableURL = Programs.url("fieldbook-gateway")
        process.arguments = ["serve", "--config", file.path]
        process.standardError = FileHandle.nullDevice
        try process.run()
        try waitUntilUp()
    }

    deinit {
        // Without a process, its number is 0, which means the whole group of this one.
        guard process.isRunning else { return }
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    var identifier: Int32 { process.processIdentifier }

    func admin() throws -> HTTPClient { try HTTPClient(port: adminPort) }
    func asUser() throws -> HTTPClient { try HTTPClient(port: publicPort, user: Self.user) }

    /// A database with the user in the documents' channel.
    func makeDatabase(_ name: String, syncFunction: String = syncFunction) throws {
        let admin = try admin()
        try admin.expect("PUT", "/\(name)/", Array(#"{"sync":"\#(syncFunction)"}"#.utf8))
        try makeUser(Self.user, in: name)
    }

    /// One more user with the documents' channel.
    func makeUser(_ user: String, in database: String) throws {
        let account = #"{"password":"\#(Self.password)","admin_channels":["bench"]}"#
        try admin().expect("PUT", "/\(database)/_user/\(user)", Array(account.utf8))
    }

    /// Stores documents as an administrator, by `_bulk_docs`.
    func fill(_ name: String, _ range: Range<Int>) throws {
        let admin = try admin()
        for start in stride(from: range.lowerBound, to: range.upperBound, by: 1_000) {
            let part = start..<min(start + 1_000, range.upperBound)
            try admin.expect("POST", "/\(name)/_bulk_docs", SampleDocuments.bulkRequest(part))
        }
    }

    /// A `_bulk_docs` is answered with 201, and a push ends, whether or not the documents were accepted; so they are
    /// counted.
    func check(_ name: String, holds count: Int) throws {
        let answer = try admin().request("GET", "/\(name)/_all_docs")
        let object = try JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: Any]
        guard let rows = object?["total_rows"] as? Int, rows == count else {
            throw BenchmarkFailure("the gateway has not stored all of \(count) documents")
        }
    }

    func lastSequence(of name: String) throws -> Int {
        let answer = try admin().request("GET", "/\(name)/")
        let object = try JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: Any]
        guard let sequence = object?["update_seq"] as? Int else { throw BenchmarkFailure("no update_seq") }
        return sequence
    }

    private func waitUntilUp() throws {
        let deadline = Date().addingTimeInterval(20)
        while Date() < deadline {
            if let client = try? admin(), (try? client.request("GET", "/_ping"))?.status == 200,
                (try? HTTPClient(port: publicPort)) != nil
            {
                return
            }
            usleep(10_000)
        }
        throw BenchmarkFailure("the gateway does not come up")
    }
}

/// The built programs are beside this one.
enum Programs {
    static func url(_ name: String) -> URL {
        let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return URL(fileURLWithPath: own).deletingLastPathComponent().appendingPathComponent(name)
    }
}
