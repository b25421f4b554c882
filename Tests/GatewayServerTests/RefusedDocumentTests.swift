import DocumentValues
import Foundation
@testable import GatewayServer
import Testing

/// A document that is not taken leaves whose it is, which, and why.
@Suite(.serialized) struct RefusedDocumentTests {
    private static let function = """
        function (doc) {
            if (doc.closed) { throw({forbidden: "closed by " + doc.closed}); }
            requireAccess(doc.channels);
            if (doc.broken) { doc.nothing.at.all; }
            channel(doc.channels);
        }
        """

    private func database(_ gateway: TestGateway) async throws -> TestTeam {
        let team = try await TestTeam(gateway)
        let scopes: JSONValue = [
            "field": ["collections": ["inspections": ["sync": .string(Self.function)], "sites": [:]]]
        ]
        try team.expect(201, try await team.admin("POST", "/db/_config", ["scopes": scopes]))
        return team
    }

    private func refusals(_ team: TestTeam) async throws -> [JSONValue] {
        let answer = try await team.admin("GET", "/db/_refusals")
        try team.expect(200, answer)
        return answer.json?["refusals"]?.arrayValue ?? []
    }

    @Test(.timeLimit(.minutes(1))) func administratorsReadWhatWasRefusedAndWhy() async throws {
        try await TestGateway.run { gateway in
            let team = try await database(gateway)
            let path = TestTeam.collection
            try team.expect(403, try await team.user("alice", "PUT", "\(path)/a", ["closed": "SECRET"]))
            try team.expect(403, try await team.user("bob", "PUT", "\(path)/b", ["channels": ["north"]]))
            try team.expect(
                500, try await team.user("alice", "PUT", "\(path)/c", ["channels": ["north"], "broken": true]))
            try team.expect(403, try await team.admin("PUT", "\(path)/d", ["closed": "admin"]))
            // A conflict is the client's to resolve.
            try team.expect(201, try await team.user("alice", "PUT", "\(path)/e", ["channels": ["north"]]))
            try team.expect(409, try await team.user("alice", "PUT", "\(path)/e", ["channels": ["north"], "x": 1]))
            // So is what came once more.
            try team.expect(403, try await team.user("bob", "PUT", "\(path)/b", ["channels": ["north"]]))
            let found = try await refusals(team)
            #expect(found.map { $0["document"]?.stringValue } == ["a", "c", "d", "b"])
            #expect(found.map { $0["user"]?.stringValue } == ["alice", "alice", nil, "bob"])
            #expect(found[0]["reason"] == "closed by SECRET" && found[0]["collection"] == "field.inspections")
            #expect(found[1]["reason"]?.stringValue?.contains("Exception in JS sync function: TypeError") == true)
            #expect(found[3]["reason"] == "sg missing channel access" && found[3]["status"] == 403)
            #expect(found.allSatisfy { $0["at"]?.stringValue?.hasSuffix("Z") == true })
            // Clients do not see what went wrong inside the function, and cannot ask.
            let answer = try await team.user("alice", "PUT", "\(path)/c", ["channels": ["north"], "broken": true])
            #expect(answer.text.contains("Exception in JS sync function") && !answer.text.contains("TypeError"))
            try team.expect(404, try await team.user("alice", "GET", "/db/_refusals"))
        }
    }

    /// It is one whatever its status is.
    @Test(.timeLimit(.minutes(1))) func aRefusalThatSaysNotFoundIsListed() async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            try team.expect(
                404, try await team.user("alice", "PUT", "\(TestTeam.collection)/a", ["_removed": true]))
            #expect(try await refusals(team).map { $0["document"]?.stringValue } == ["a"])
        }
    }

    @Test(.timeLimit(.minutes(1))) func theAuditLogHasThem() async throws {
        try await TestGateway.run { gateway in
            let team = try await database(gateway)
            try team.expect(403, try await team.user("alice", "PUT", "\(TestTeam.collection)/a", ["closed": "x"]))
            let file = gateway.folder.appendingPathComponent(AuditLog.fileName)
            let events = try String(decoding: Data(contentsOf: file), as: UTF8.self).split(separator: "\n")
                .map { try JSONObject(parsing: Array($0.utf8)) }.filter { $0["event"] == "refusal" }
            #expect(events.count == 1)
            #expect(
                events.first?["user"] == "alice" && events.first?["db"] == "db" && events.first?["document"] == "a"
                    && events.first?["reason"] == "closed by x")
        }
    }

    /// A change of the configuration that names a new collection alone would take the others out of service.
    @Test(.timeLimit(.minutes(1))) func aPartialConfigurationKeepsCollectionsWithDocuments() async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            try team.expect(201, try await team.admin("PUT", "\(TestTeam.collection)/a", ["channels": ["north"]]))
            let alone: JSONValue = ["scopes": ["field": ["collections": ["photos": [:]]]]]
            let refused = try await team.admin("POST", "/db/_config", alone)
            try team.expect(400, refused)
            #expect(refused.text.contains("field.inspections") && refused.text.contains("remove_collections=true"))
            #expect(!refused.text.contains("field.sites"))
            try team.expect(200, try await team.admin("GET", "\(TestTeam.collection)/a"))
            // What is empty may go, as with Sync Gateway, and so may what is meant to.
            let without: JSONValue = ["scopes": ["field": ["collections": ["inspections": [:], "photos": [:]]]]]
            try team.expect(201, try await team.admin("POST", "/db/_config?remove_sync_functions=true", without))
            try team.expect(404, try await team.admin("GET", "/db.field.sites/x"))
            try team.expect(201, try await team.admin("POST", "/db/_config?remove_collections=true", alone))
            try team.expect(404, try await team.admin("GET", "\(TestTeam.collection)/a"))
            try team.expect(201, try await team.admin("POST", "/db/_config", without))
            try team.expect(200, try await team.admin("GET", "\(TestTeam.collection)/a"))
        }
    }

    /// A collection that is named with `{}` would have no rules any more.
    @Test(.timeLimit(.minutes(1))) func aPartialConfigurationKeepsSyncFunctions() async throws {
        let log = LogLines()
        try await TestGateway.run(log: log) { gateway in
            let team = try await TestTeam(gateway)
            let function = "\(TestTeam.collection)/_config/sync"
            let before = try await team.admin("GET", function).text
            let bare: JSONValue = [
                "scopes": ["field": ["collections": ["inspections": [:], "sites": [:], "photos": [:]]]]
            ]
            let confirmed = "/db/_config?remove_collections=true"
            for path in ["/db/_config", confirmed] {
                let refused = try await team.admin("POST", path, bare)
                try team.expect(400, refused)
                #expect(
                    refused.text.contains("field.inspections") && refused.text.contains("remove_sync_functions=true"))
                #expect(!refused.text.contains("field.sites"))
            }
            #expect(try await team.admin("GET", function).text == before)
            #expect(log.line("default sync function") == nil)
            try team.expect(201, try await team.admin("POST", "/db/_config?remove_sync_functions=true", bare))
            #expect(try await team.admin("GET", function).text == "")
            let line = try #require(log.line("default sync function"))
            #expect(line.contains("collections=field.inspections") && line.contains("db=db"))
        }
    }

    /// A whole configuration is taken as it is; the log names what it has taken out of service.
    @Test(.timeLimit(.minutes(1))) func aWholeConfigurationThatLosesCollectionsIsInTheLog() async throws {
        let log = LogLines()
        try await TestGateway.run(log: log) { gateway in
            let team = try await TestTeam(gateway)
            try team.expect(201, try await team.admin("PUT", "\(TestTeam.collection)/a", ["channels": ["north"]]))
            let alone: JSONValue = ["scopes": ["field": ["collections": ["photos": [:]]]]]
            try team.expect(201, try await team.admin("PUT", "/db/_config", alone))
            let line = try #require(log.line("out of service"))
            #expect(line.contains("collections=field.inspections") && line.contains("db=db"))
        }
    }

    /// A function that fails says nothing of where a document belongs.
    @Test(.timeLimit(.minutes(1))) func aResyncWhoseFunctionFailsLeavesDocumentsWhereTheyAre() async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            let documents = (0..<30).map { JSONValue.object(["_id": .string("d\($0)"), "channels": ["north"]]) }
            try team.expect(
                201, try await team.admin("POST", "\(TestTeam.collection)/_bulk_docs", ["docs": .array(documents)]))
            let broken = "function (doc) { doc.nothing.at.all; }"
            let collections: JSONValue = ["inspections": ["sync": .string(broken)], "sites": [:]]
            try team.expect(
                201, try await team.admin("POST", "/db/_config", ["scopes": ["field": ["collections": collections]]]))
            for (query, errors) in [("", 1...30), ("?force=true", 30...30)] {
                try team.expect(200, try await team.admin("POST", "/db/_offline"))
                try team.expect(200, try await team.admin("POST", "/db/_resync\(query)"))
                var status = try await team.admin("GET", "/db/_resync").json
                while status?["status"] == "running" { status = try await team.admin("GET", "/db/_resync").json }
                #expect(status?["status"]?.stringValue == (query.isEmpty ? "error" : "completed"))
                #expect(errors.contains(Int(status?["docs_errored"]?.integerValue ?? 0)), "\(status ?? .null)")
                #expect(status?["last_error"]?.stringValue?.contains("TypeError") == true)
                #expect(status?["docs_changed"] == 0)
                if query.isEmpty { #expect(status?["last_error"]?.stringValue?.contains("?force=true") == true) }
                try team.expect(200, try await team.admin("POST", "/db/_online"))
                let seen = try await team.user("alice", "GET", "\(TestTeam.collection)/_changes")
                #expect(seen.json?["results"]?.arrayValue?.filter { $0["removed"] == nil }.count ?? 0 >= 30)
            }
        }
    }
}
