import AccessControl
import DocumentValues
@testable import GatewayCore
@testable import GatewayServer
import Testing
import WorkCount

/// Lists of names that no request can make long in a test, and that may have 50,000 in a document's life.
@Suite(.serialized, .enabled(if: Growth.countsMemory), .timeLimit(.minutes(5))) struct NameGrowthTests {
    private static func names(_ count: Int) -> [Name] { (0..<count).map { "a channel in a long list \($0)" } }

    private static func raw(
        _ channels: DocumentChannels = DocumentChannels(), granted: [Name: Set<Name>] = [:],
        tree: RevisionTree = RevisionTree()
    ) -> RawDocument {
        RawDocument(
            details: DocumentDetails(
                revision: DocumentRevision(
                    id: "d", revision: RevisionID(generation: 1, digest: "a"), isDeleted: false, body: Array("{}".utf8),
                    sequence: 1),
                tree: tree, channels: channels, grantedChannels: granted, grantedRoles: [:]),
            pseudonyms: nil)
    }

    @Test func channelsOfARawDocument() async throws {
        let growth = try await Growth.of(200) { count in
            Self.raw(DocumentChannels(current: Dictionary(uniqueKeysWithValues: Self.names(count).map { ($0, 1) })))
        } work: { document in
            #expect(!document.bytes(includingBody: false).isEmpty)
        }
        #expect(!growth.isSquare, "\(growth)")
    }

    @Test func grantsOfARawDocument() async throws {
        let growth = try await Growth.of(200) { count in
            Self.raw(granted: ["ann": Set(Self.names(count))])
        } work: { document in
            #expect(!document.bytes(includingBody: false).isEmpty)
        }
        #expect(!growth.isSquare, "\(growth)")
    }

    @Test func revisionsOfARawDocument() async throws {
        let growth = try await Growth.of(200) { count in
            let revisions = (1...count).reversed().map { RevisionID(generation: UInt32($0), digest: "a") }
            var tree = RevisionTree()
            tree.insert(
                revisions[0], history: RevisionHistory(Array(revisions.dropFirst())), isDeleted: false, limit: count)
            return Self.raw(tree: tree)
        } work: { document in
            #expect(!document.bytes(includingBody: false).isEmpty)
        }
        #expect(!growth.isSquare, "\(growth)")
    }

    @Test func grantsOfADocumentThatIsTried() async throws {
        let growth = try await Growth.of(200) { count in
            SyncFunctionTrial.Verdict(
                id: "d", replaced: nil, refusal: nil, failure: nil, channels: [],
                access: Dictionary(uniqueKeysWithValues: Self.names(count).map { ($0, ["north"]) }), roles: [:],
                expires: nil)
        } work: { verdict in
            #expect(SyncFunctionRoutes.json(verdict)["access"]?.objectValue?.isEmpty == false)
        }
        #expect(!growth.isSquare, "\(growth)")
    }

    /// A user's refusals are looked for with each revision that is pushed.
    @Test func refusalsThatAreLookedFor() async throws {
        let collection = try CollectionName(scope: "field", name: "sites")
        let growth = try await Growth.of(100) { count in
            var history = RefusalHistory(limit: count)
            for name in Self.names(count) {
                history.add(
                    RefusedDocument(
                        time: 1, user: "ann", collection: "field.sites", document: name.text, status: 403, reason: "no")
                )
            }
            return (history, Self.names(count).map(\.text))
        } work: { history, names in
            let found = names.count { history.holds(document: $0, collection: collection, user: "bob") }
            #expect(found == 0)
        }
        #expect(!growth.isSquare, "\(growth)")
    }
}
