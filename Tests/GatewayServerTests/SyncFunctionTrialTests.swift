import DocumentValues
import Foundation
@testable import GatewayServer
import Testing

/// What a sync function says of a document, asked by administrators and not stored.
@Suite(.serialized) struct SyncFunctionTrialTests {
    private static let function = """
        function (doc, oldDoc, meta) {
            if (oldDoc && oldDoc.closed) { throw({forbidden: "closed by " + oldDoc.closed}); }
            requireAccess(doc.channels);
            if (doc.broken) { doc.nothing.at.all; }
            channel(doc.channels);
            access("bob", "granted");
            role("bob", "role:clerk");
            if (meta.expiry) { expiry(meta.expiry); }
        }
        """
    private static let path = TestTeam.collection

    private func team(_ gateway: TestGateway) async throws -> TestTeam {
        let team = try await TestTeam(gateway)
        let scopes: JSONValue = [
            "field": ["collections": ["inspections": ["sync": .string(Self.function)], "sites": [:]]]
        ]
        try team.expect(201, try await team.admin("POST", "/db/_config", ["scopes": scopes]))
        return team
    }

    private func attempt(_ team: TestTeam, _ question: JSONValue, status: Int = 200) async throws -> JSONValue {
        let answer = try await team.admin("POST", "\(Self.path)/_try_sync_function", question)
        try team.expect(status, answer)
        return try #require(answer.json)
    }

    @Test(.timeLimit(.minutes(1))) func whatAWriteWouldMeanIsSaidAndNothingIsStored() async throws {
        try await TestGateway.run { gateway in
            let team = try await team(gateway)
            let document: JSONValue = ["_id": "a", "channels": ["north"], "_exp": 4_000_000_000]
            let accepted = try await attempt(team, ["document": document, "user": "alice"])
            #expect(accepted["accepted"] == true && accepted["channels"] == ["north"])
            #expect(accepted["access"] == ["bob": ["granted"]] && accepted["roles"] == ["bob": ["clerk"]])
            #expect(accepted["expires"] == 4_000_000_000 && accepted["replaces"] == nil)
            let refused = try await attempt(team, ["document": document, "user": "bob"])
            #expect(refused["accepted"] == false && refused["status"] == 403)
            #expect(refused["reason"] == "sg missing channel access" && refused["channels"] == nil)
            let admin = try await attempt(team, ["document": document])
            #expect(admin["accepted"] == true)
            let broken = try await attempt(team, ["document": ["_id": "a", "channels": [], "broken": true]])
            #expect(broken["status"] == 500 && broken["failure"]?.stringValue?.contains("TypeError") == true)
            try team.expect(404, try await team.admin("GET", "\(Self.path)/a"))
            let refusals = try await team.admin("GET", "/db/_refusals")
            #expect(refusals.json?["refusals"] == [])
        }
    }

    @Test(.timeLimit(.minutes(1))) func storedDocumentsAreTriedAsTheyAreAndWithAnotherFunction() async throws {
        try await TestGateway.run { gateway in
            let team = try await team(gateway)
            let written = try await team.user(
                "alice", "PUT", "\(Self.path)/a", ["channels": ["north"], "closed": "alice"])
            try team.expect(201, written)
            let revision = try #require(written.json?["rev"])
            let own = try await attempt(team, ["id": "a", "user": "alice"])
            #expect(own["reason"] == "closed by alice" && own["replaces"] == revision)
            let function: JSONValue = "function (doc, oldDoc) { channel(oldDoc ? 'changed' : 'new'); }"
            let other = try await attempt(team, ["id": "a", "user": "alice", "sync": function])
            #expect(other["accepted"] == true && other["channels"] == ["changed"])
            let stored = try await team.admin("GET", "\(Self.path)/a")
            #expect(stored.json?["_rev"] == revision)
        }
    }

    @Test(.timeLimit(.minutes(1))) func whatCannotBeTriedIsNamed() async throws {
        try await TestGateway.run { gateway in
            let team = try await team(gateway)
            let written = try await team.admin("PUT", "\(Self.path)/gone", ["channels": []])
            let revision = try #require(written.json?["rev"]?.stringValue)
            try team.expect(200, try await team.admin("DELETE", "\(Self.path)/gone?rev=\(revision)"))
            let questions: [(JSONValue, Int, String)] = [
                ([:], 400, "Say which document"),
                (["document": [:]], 400, "has no _id"),
                (["document": ["_id": "a"], "id": "a"], 400, "cannot be combined"),
                (["id": "nothing"], 404, "There is no document 'nothing' in field.inspections"),
                (["id": "gone"], 404, "There is no document 'gone' in field.inspections; it is deleted"),
                (["document": ["_id": "a"], "user": "nobody"], 404, "No such user \"nobody\""),
                (["document": ["_id": "a"], "sync": "function ("], 400, "The sync function cannot be run"),
                (["document": ["_id": "a", "_rev": "3-abc"]], 409, "conflict"),
                (["document": "a"], 400, "Bad JSON"),
            ]
            for (question, status, text) in questions {
                let answer = try await attempt(team, question, status: status)
                #expect(answer["reason"]?.stringValue?.contains(text) == true, "\(question): \(answer)")
            }
            try team.expect(
                404, try await team.user("alice", "POST", "\(Self.path)/_try_sync_function", ["id": "a"]))
        }
    }
}
