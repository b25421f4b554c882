import AccessControl
import DocumentValues
import Testing

@testable import GatewayCore

/// The parts of a read document that a reader may see, decided without a store.
@Suite struct DocumentSightTests {
    private static func document(
        in channels: Set<Name>, isDeleted: Bool = false, body: String = #"{"secret":1}"#
    ) -> StoredDocument {
        StoredDocument(
            number: 1, id: "d",
            row: .test(.test(2), at: 5, channels: channels, isDeleted: isDeleted, body: body))
    }

    private static func sight(of channels: Set<Name>) -> DocumentSight {
        var grants = UserGrants(name: "ann")
        for channel in channels {
            grants.channels.held[TestDatabase.collection, default: TimedSet()].grant(channel, at: 1)
        }
        return DocumentSight(view: AccessView(user: grants, collection: TestDatabase.collection) { _ in nil })
    }

    @Test func whatIsSeenIsWhole() throws {
        let seen = Self.sight(of: ["x"]).visible(Self.document(in: ["x", "hidden"]))
        #expect(!seen.isRedacted && seen.body == Array(#"{"secret":1}"#.utf8))
        #expect(seen.channels == ["x"], "of the channels the reader knows its own")
        let all = DocumentSight(view: .all).visible(Self.document(in: ["x", "hidden"]))
        #expect(all.channels == ["x", "hidden"])
    }

    @Test(arguments: [false, true]) func whatIsNotSeenHasNothingInIt(isDeleted: Bool) {
        let document = Self.document(in: isDeleted ? [] : ["x"], isDeleted: isDeleted)
        let seen = Self.sight(of: ["y"]).visible(document)
        #expect(seen.isRedacted && seen.isDeleted == isDeleted && seen.channels == [])
        #expect(seen.body == Array((isDeleted ? "{}" : #"{"_removed":true}"#).utf8))
        #expect(seen.revision == .test(2), "its revision is no secret")
    }

    @Test func whoAsksForADocumentIsAnsweredInThisOrder() {
        let sight = Self.sight(of: ["x"])
        #expect(throws: GatewayError.missing) { try sight.current(nil) }
        #expect(throws: GatewayError.forbidden) { try sight.current(Self.document(in: ["y"])) }
        // A reader who may not see a tombstone does not learn that it is one.
        #expect(throws: GatewayError.forbidden) { try sight.current(Self.document(in: ["y"], isDeleted: true)) }
        #expect(throws: GatewayError.deleted) { try sight.current(Self.document(in: ["x"], isDeleted: true)) }
        #expect(throws: Never.self) { try sight.current(Self.document(in: ["x"])) }
    }
}
