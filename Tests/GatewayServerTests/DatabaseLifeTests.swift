import DocumentValues
import Foundation
import Logging
import GatewayServer
import Testing

/// A database from `PUT /{db}/` to `DELETE /{db}/`, by REST.
@Suite(.timeLimit(.minutes(2))) struct DatabaseLifeTests {
    @Test func offlineAndOnline() async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            let collection = TestTeam.collection
            try await team.expect(412, team.admin("PUT", "/db/", [:]))
            try await team.expect(200, team.admin("POST", "/db/_offline"))
            #expect(try await team.admin("GET", "/db/").json?["state"] == "Offline")
            try await team.expect(503, team.admin("GET", "\(collection)/x"))
            try await team.expect(503, team.user("alice", "GET", "\(collection)/_changes"))
            try await team.expect(200, team.admin("GET", "/db/_config"))
            try await team.expect(200, team.admin("POST", "/db/_online"))
            #expect(try await team.admin("GET", "/db/").json?["state"] == "Online")
            try await team.expect(200, team.admin("DELETE", "/db/"))
            try await team.expect(404, team.admin("GET", "/db/"))
        }
    }

    /// Refused until the resync is through, as with Sync Gateway; the answer says so.
    private func goOnline(_ team: TestTeam) async throws {
        while true {
            let answer = try await team.admin("POST", "/db/_online")
            if answer.status == 200 { return }
            try team.expect(503, answer)
            #expect(answer.text.contains("Database _resync is in progress"))
        }
    }

    /// The procedure of the documentation: offline, a new function, a resync, online.
    @Test func aFunctionCanBeSetWhileOffline() async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            let collection = TestTeam.collection
            try await team.expect(201, team.admin("PUT", "\(collection)/d", ["channels": ["south"]]))
            try await team.expect(200, team.admin("POST", "/db/_offline"))
            let function = Array("function(doc){channel('north');}".utf8)
            let set = try await RawClient.request(
                "PUT", "\(collection)/_config/sync", port: gateway.adminPort,
                headers: [("Content-Type", "application/javascript")], body: function)
            try team.expect(200, set)
            #expect(try await team.admin("GET", "\(collection)/_config/sync").body == function)
            try await team.expect(201, team.admin("POST", "/db/_config", ["revs_limit": 60]))
            #expect(try await team.admin("GET", "/db/").json?["state"] == "Offline")
            try await team.expect(503, team.admin("GET", "\(collection)/d"))
            try await team.expect(200, team.admin("POST", "/db/_resync?action=start"))
            try await goOnline(team)
            try await team.expect(200, team.user("alice", "GET", "\(collection)/d"))
            try await team.expect(200, team.admin("DELETE", "\(collection)/_config/sync"))
        }
    }

    /// What curl sends for a file that it does not find must not take the rules away.
    @Test(.timeLimit(.minutes(1)), arguments: ["sync", "import_filter"])
    func anEmptyFunctionIsRefused(member: String) async throws {
        let log = LogLines()
        try await TestGateway.run(log: log) { gateway in
            let team = try await TestTeam(gateway)
            let path = "\(TestTeam.collection)/_config/\(member)"
            @Sendable func put(_ text: String) async throws -> RawAnswer {
                try await RawClient.request(
                    "PUT", path, port: gateway.adminPort, headers: [("Content-Type", "application/javascript")],
                    body: Array(text.utf8))
            }
            let function = "function (doc) { return true; }"
            try await team.expect(200, put(function))
            for text in ["", " \n\t"] {
                let answer = try await put(text)
                try team.expect(400, answer)
                #expect(answer.text.contains("DELETE …/_config/\(member)"))
            }
            for method in ["POST", "PUT"] { try await team.expect(400, team.admin(method, "/db/_config")) }
            #expect(try await team.admin("GET", path).text == function)
            try await team.expect(200, team.admin("DELETE", path))
            #expect(try await team.admin("GET", path).text == "")
        }
        let said = log.all.filter { $0.contains("default sync function") }
        #expect(said.count == (member == "sync" ? 1 : 0) && said.allSatisfy { $0.contains("field.inspections") })
    }

    /// Somebody's folder in the storage folder is no database, and stays.
    @Test func aFolderThatIsThereIsNotErased() async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            let files = FileManager.default
            let backup = gateway.folder.appendingPathComponent("backups/2026/x")
            try files.createDirectory(at: backup, withIntermediateDirectories: true)
            let answer = try await team.admin("PUT", "/backups/", [:])
            try team.expect(409, answer)
            #expect(answer.text.contains("backups"))
            #expect(files.fileExists(atPath: backup.path))
            try Data("mine".utf8).write(to: gateway.folder.appendingPathComponent("afile"))
            try await team.expect(409, team.admin("PUT", "/afile/", [:]))
            // What has our mark was never a database.
            let left = gateway.folder.appendingPathComponent("left")
            try files.createDirectory(at: left, withIntermediateDirectories: true)
            for name in [".unfinished", "gateway.sqlite3"] { try Data().write(to: left.appendingPathComponent(name)) }
            try await team.expect(201, team.admin("PUT", "/left/", [:]))
            #expect(try files.contentsOfDirectory(atPath: left.path).allSatisfy { $0.hasPrefix("gateway.sqlite3") })
            // An empty folder is nobody's.
            try files.createDirectory(
                at: gateway.folder.appendingPathComponent("empty"), withIntermediateDirectories: true)
            try await team.expect(201, team.admin("PUT", "/empty/", [:]))
        }
    }

    @Test func namesOfTheGatewaysOwnFilesAreRefused() async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            let file = gateway.folder.appendingPathComponent("local-administrator")
            let before = try Data(contentsOf: file)
            try await team.expect(400, team.admin("PUT", "/local-administrator/", [:]))
            #expect(try Data(contentsOf: file) == before)
        }
    }

    /// A folder where the gateway wants to put its file keeps it from starting, and stays.
    @Test func noFolderGivesWayToTheLocalAdministrator() throws {
        let storage = FileManager.default.temporaryDirectory.appendingPathComponent("storage-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: storage) }
        let inside = storage.appendingPathComponent("local-administrator/gateway.sqlite3")
        try FileManager.default.createDirectory(
            at: inside.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data("a database".utf8).write(to: inside)
        let logger = Logger(label: "test")
        #expect(throws: ConfigurationError.self) { _ = try Administrators(storage: storage.path, logger: logger) }
        #expect(FileManager.default.fileExists(atPath: inside.path))
    }

    /// Copies of the files keep the permissions, which a folder's do not.
    @Test func onlyTheGatewaysAccountReadsTheFiles() async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            try await team.expect(201, team.admin("PUT", "\(TestTeam.collection)/d", ["channels": ["south"]]))
            for name in ["", "-wal", "-shm"] {
                let file = gateway.folder.appendingPathComponent("db/gateway.sqlite3\(name)").path
                let attributes = try FileManager.default.attributesOfItem(atPath: file)
                #expect(attributes[.posixPermissions] as? Int == 0o600, "\(name)")
            }
        }
    }

    /// Only names of databases get their slash; a browser must not be led elsewhere.
    @Test(arguments: [
        ("/db", 301, "/db/"), ("/d.b-1_x", 301, "/d.b-1_x/"), ("/%2fevil.com", 400, nil), ("/%2f%2fevil.com", 400, nil),
        ("/a%2Fb", 401, nil), ("/x%0d%0aSet-Cookie:%20a=b", 401, nil), ("/a%3Fb", 401, nil),
    ])
    func theMissingSlash(path: String, status: Int, location: String?) async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            let answer = try await RawClient.request("GET", path, port: team.gateway.publicPort)
            #expect(answer.status == status && answer.header("Location") == location, "\(path): \(answer.status)")
            #expect(answer.header("Set-Cookie") == nil)
        }
    }

    @Test func aNewFunctionAndAResync() async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            let collection = TestTeam.collection
            let revision = try await team.storeSecret()
            try await team.expect(403, team.user("alice", "GET", "\(collection)/secret"))
            let change: JSONValue = [
                "scopes": ["field": ["collections": ["inspections": ["sync": "function(doc){channel('north');}"]]]]
            ]
            try await team.expect(201, team.admin("POST", "/db/_config", change))
            try await team.expect(403, team.user("alice", "GET", "\(collection)/secret"))
            try await team.expect(503, team.admin("POST", "/db/_resync"))
            try await team.expect(200, team.admin("POST", "/db/_offline"))
            try await team.expect(400, team.admin("POST", "/db/_resync?action=dance"))
            for wrong: JSONValue in [["scopes": 5], ["scopes": ["field": "sites"]], ["regenerate_sequences": "yes"]] {
                try await team.expect(400, team.admin("POST", "/db/_resync", wrong))
            }
            let begun = try await team.admin("POST", "/db/_resync?action=start")
            try team.expect(200, begun)
            #expect(begun.json?["status"] == "running")
            try await goOnline(team)
            let status = try await team.admin("GET", "/db/_resync")
            #expect(status.json?["status"] == "completed")
            #expect(status.json?["docs_changed"]?.integerValue == 1)
            #expect(status.json?["resync_id"] == begun.json?["resync_id"])
            let answer = try await team.user("alice", "GET", "\(collection)/secret")
            try team.expect(200, answer)
            #expect(answer.json?["_rev"]?.stringValue == revision)
            try await team.expect(403, team.user("bob", "GET", "\(collection)/secret"))
        }
    }

    @Test func aFunctionThatIsNoneChangesNothing() async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            let change: JSONValue = ["scopes": ["field": ["collections": ["inspections": ["sync": "function(doc){"]]]]]
            try await team.expect(400, team.admin("POST", "/db/_config", change))
            try await team.expect(400, team.admin("POST", "/db/_config", ["javascript_timeout_secs": 3600]))
            let config = try await team.admin("GET", "\(TestTeam.collection)/_config/sync")
            #expect(config.text.contains("channel(doc.channels)"))
        }
    }

    @Test func aSecondScopeIsRefusedInsteadOfReplacingTheFirst() async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            _ = try await team.storeSecret()
            for scope in ["_default", "office"] {
                let collection = scope == "_default" ? scope : "desks"
                let change: JSONValue = ["scopes": .object([scope: ["collections": .object([collection: [:]])]])]
                let answer = try await team.admin("POST", "/db/_config", change)
                try team.expect(400, answer)
                #expect(answer.text.contains("only one named scope is supported, but had 2"))
                try await team.expect(200, team.user("bob", "GET", "\(TestTeam.collection)/secret"))
            }
        }
    }

    /// Its documents would be out of reach, and its clients cut off.
    @Test func theScopeOfADatabaseStays() async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            let scopes: (String) -> JSONValue = { name in
                ["scopes": .object([name: ["collections": ["inspections": [:]]]])]
            }
            try await team.expect(201, team.admin("PUT", "/plain/", [:]))
            let refused: [(String, String, JSONValue)] = [
                ("POST", "plain", scopes("field")), ("PUT", "plain", scopes("field")), ("PUT", "db", scopes("office")),
                ("PUT", "db", [:]), ("PUT", "db", ["scopes": [:]]),
            ]
            for (method, database, change) in refused {
                let answer = try await team.admin(method, "/\(database)/_config", change)
                try team.expect(400, answer)
                let reason = answer.json?["reason"]?.stringValue
                #expect(reason == "1 errors:\ncannot change scopes after database creation", "\(method) \(change)")
            }
            let same: JSONValue = ["scopes": ["_default": ["collections": ["_default": [:]]]]]
            try await team.expect(201, team.admin("PUT", "/plain/_config", same))
            try await team.expect(201, team.admin("PUT", "/db/_config", scopes("field")))
        }
    }

    @Test func aWholeConfigurationBringsADatabaseOnline() async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            try await team.expect(201, team.admin("PUT", "/plain/", [:]))
            try await team.expect(200, team.admin("POST", "/plain/_offline"))
            try await team.expect(404, team.admin("GET", "/plain.no.such/_config/sync"))
            try await team.expect(201, team.admin("POST", "/plain/_config", ["revs_limit": 60]))
            #expect(try await team.admin("GET", "/plain/").json?["state"] == "Offline")
            try await team.expect(201, team.admin("PUT", "/plain/_config", [:]))
            #expect(try await team.admin("GET", "/plain/").json?["state"] == "Online")
        }
    }

    @Test func theTimeOfAFunctionIsTheDatabases() async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            try await team.expect(201, team.admin("POST", "/db/_config", ["javascript_timeout_secs": 1]))
            let answer = try await team.admin("PUT", "\(TestTeam.collection)/x", ["loop": true])
            try team.expect(500, answer)
            #expect(answer.text.contains("JS sync function timed out"))
        }
    }
}
