import DocumentValues
import Testing

@testable import GatewayCore

/// The id of a deletion can be computed before it is made. No live revision may have it, or the deletion would count as
/// known.
@Suite(.timeLimit(.minutes(1))) struct DeletionIDTests {
    enum Form: CaseIterable, Sendable { case client, gateway }

    private func deletion(of parent: String, _ form: Form) -> String {
        let parent = RevisionID(parent)
        return switch form {
        case .client: RevisionDigest.clientRevision(parent: parent, body: [], isDeleted: true).description
        case .gateway: RevisionDigest.gatewayRevision(parent: parent, body: ["_deleted": true]).description
        }
    }

    @Test(arguments: Form.allCases, [false, true])
    func nothingLiveTakesIt(form: Form, allowsConflicts: Bool) async throws {
        try await TestDatabase.run(["allow_conflicts": .bool(allowsConflicts)]) { test in
            try await test.push("a", "1-x", [], ["n": 1])
            try await test.push("a", "2-y", ["1-x"], ["n": 2])
            let (first, second) = (deletion(of: "1-x", form), deletion(of: "2-y", form))
            // Deletions of the current revision, named or not, and of the one before it. Without conflicts, no revision
            // beside the current one is accepted anyway.
            let beside = allowsConflicts ? [(second, ["1-x"]), (first, ["1-x"])] : []
            for (taken, history) in [(second, ["2-y", "1-x"])] + beside {
                await #expect(throws: GatewayError.revisionOfDeletion, "\(taken) after \(history)") {
                    try await test.push("a", taken, history, ["n": 3])
                }
            }
            // Others are refused by their generations.
            for (taken, history) in [(second, ["2-z", "2-y"]), (first, ["2-y", "1-x"]), (first, ["2-y"])] {
                let error = await #expect(throws: GatewayError.self, "\(taken) after \(history)") {
                    try await test.push("a", taken, history, ["n": 3])
                }
                #expect(error?.status == 400)
            }
            #expect(try await test.body("a") == #"{"n":2}"#)
            try await test.push("a", second, ["2-y", "1-x"], isDeleted: true)
            #expect(try await test.body("a") == "404")
            #expect(try await test.push("a", second, ["2-y"], isDeleted: true).sequence == nil, "it is known now")
        }
    }

    /// A tombstone on another branch may come before the revision whose deletion it seems to be, or after it. With both, a
    /// laptop's deletion would count as known while the document stays, and a gateway could make none.
    @Test(arguments: Form.allCases, [false, true])
    func noTombstoneOfAnotherBranchHasIt(form: Form, allowsConflicts: Bool) async throws {
        try await TestDatabase.run(["allow_conflicts": .bool(allowsConflicts)]) { test in
            let taken = deletion(of: "3-d", form)
            try await test.push("before", "2-b", [], ["n": 2])
            try await test.push("before", taken, ["3-c", "2-b"], isDeleted: true)
            await #expect(throws: GatewayError.revisionOfDeletion) {
                try await test.push("before", "3-d", [], ["n": 3])
            }
            // Another one is accepted as before.
            try await test.push("before", "3-e", [], ["n": 3])
            guard allowsConflicts else { return }
            try await test.push("after", "2-b", [], ["n": 2])
            try await test.push("after", "3-d", [], ["n": 3])
            await #expect(throws: GatewayError.revisionOfDeletion) {
                try await test.push("after", taken, ["3-c", "2-b"], isDeleted: true)
            }
            try await test.push("after", taken, ["3-d"], isDeleted: true)
        }
    }

    /// Without a network, the gateway gets the deletion only as an ancestor.
    @Test(arguments: Form.allCases) func aDocumentMayBeDeletedAndMadeAgain(form: Form) async throws {
        try await TestDatabase.run { test in
            try await test.push("a", "1-x", [], ["n": 1])
            try await test.push("a", "3-z", [deletion(of: "1-x", form), "1-x"], ["n": 3])
            #expect(try await test.body("a") == #"{"n":3}"#)
        }
    }

    /// The gateway has no ancestor to which it could compare the live one.
    @Test(arguments: Form.allCases) func aDeletionWhoseIDIsTakenIsAConflict(form: Form) async throws {
        try await TestDatabase.run { test in
            let taken = deletion(of: "1-x", form)
            try await test.push("live", taken, [], ["n": 1])
            await #expect(throws: GatewayError.revisionConflict) {
                try await test.push("live", taken, ["1-x"], isDeleted: true)
            }
            try await test.push("deleted", taken, ["1-x"], isDeleted: true)
            let revision = try #require(RevisionID(taken))
            let parent = try #require(RevisionID("1-x"))
            let proposals = [
                Proposal(id: "live", revision: revision, replacing: parent),
                Proposal(id: "live", revision: revision, replacing: nil),
                Proposal(id: "deleted", revision: revision, replacing: parent),
            ]
            let verdicts = try await test.database.documents.judge(
                proposals, in: TestDatabase.collection, for: .admin)
            #expect(verdicts == [.conflict(current: revision), .known, .known])
        }
    }
}
