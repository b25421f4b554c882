import BLIPProtocol
import DocumentValues
import NIOCore
import Testing
import TranscriptSupport

@testable import SyncProtocol

/// Every recorded message: read into its type and written again, it means the same.
@Suite struct MessageTranscriptTests {
    @Test func everyRecordedRequestIsReadAndWrittenAgain() throws {
        var count = 0
        for conversation in try MessageLog.all() {
            for recorded in conversation.messages where recorded.message.kind == .request {
                let label = "\(conversation.name) n\(recorded.record)"
                let version: SyncSubprotocol = conversation.name.hasPrefix("25") ? .version2 : .version3
                let written = try Self.rewritten(recorded, version).received()
                Self.compare(written, recorded, label)
                count += 1
            }
        }
        #expect(count > 2_400)
    }

    @Test func everyRecordedReplyIsReadAndWrittenAgain() throws {
        var count = 0
        for conversation in try MessageLog.all() {
            for reply in conversation.messages where reply.message.kind == .response {
                guard let profile = conversation.request(for: reply)?.message.profile,
                    let written = try Self.rewrittenReply(reply.message, MessageProfile(rawValue: profile))
                else { continue }
                let label = "\(conversation.name) n\(reply.record)"
                let recorded = try? JSONValue(parsing: reply.message.bodyBytes)
                #expect(try JSONValue(parsing: written) == recorded, "\(label)")
                count += 1
            }
        }
        #expect(count > 290)
    }

    @Test func everyRecordedErrorReplyHasAFailure() throws {
        var failures: Set<SyncFailure> = []
        for conversation in try MessageLog.all() {
            for recorded in conversation.messages where recorded.isError {
                failures.insert(SyncFailure(BLIPErrorReply(recorded.message)))
            }
        }
        #expect(failures.allSatisfy { $0.domain == .http })
        #expect(Set(failures.map(\.code)) == [400, 403, 404, 409, 500])
    }

    // MARK: - Parts

    private static func rewritten(_ recorded: RecordedMessage, _ version: SyncSubprotocol) throws -> BLIPRequest {
        let message = recorded.message
        let profile = try #require(message.profile.flatMap { MessageProfile(rawValue: $0) })
        switch profile {
        case .getCollections: return try GetCollections(message).request
        case .getCheckpoint: return try GetCheckpoint(message).request
        case .setCheckpoint: return try SetCheckpoint(message).request
        case .subChanges: return try SubChanges(message).request
        case .changes: return try Changes(message).request(for: version)
        case .proposeChanges: return try ProposeChanges(message).request
        case .rev: return try Rev(message).request(asGateway: recorded.direction == .toClient)
        case .norev: return NoRev(message).request
        case .getAttachment: return try GetAttachment(message).request
        case .proveAttachment: return try ProveAttachment(message).request
        case .unsubChanges, .getRev, .putRev, .ping: throw BLIPErrorReply.unknownProfile(message.profile)
        }
    }

    private static func rewrittenReply(_ message: BLIPMessage, _ profile: MessageProfile?) throws -> [UInt8]? {
        switch profile {
        case .getCollections:
            // `rev` is beside `_rev`, for clients that read only the former.
            let reply = try #require(GetCollectionsReply(message))
            return JSONValue.array(
                try #require(try JSONValue(parsing: reply.body).arrayValue).map { entry in
                    entry.objectValue.map { .object($0.filter { $0 != "rev" }) } ?? entry
                }
            ).bytes
        case .changes:
            let reply = try #require(ChangesReply(message))
            #expect(reply.properties == message.properties)
            return reply.body
        case .proposeChanges: return try #require(ProposeChangesReply(message)).body
        default: return nil
        }
    }

    private static func compare(_ written: BLIPMessage, _ recorded: RecordedMessage, _ label: String) {
        let original = recorded.message
        var wanted = original.properties
        // A gateway honours only `true`; the recorded client wrote `1`.
        if wanted[MessageProperty.sendReplacementRevs] == "1" { wanted[MessageProperty.sendReplacementRevs] = "true" }
        switch recorded.direction {
        case .toServer: #expect(written.properties == wanted, "\(label)")
        case .toClient:
            // The recorded gateway writes its properties in random order.
            #expect(Set(written.properties.elements) == Set(wanted.elements), "\(label)")
        }
        #expect(written.isUrgent == original.isUrgent, "\(label)")
        #expect(written.isCompressed == original.isCompressed, "\(label)")
        #expect(written.isNoReply == original.isNoReply, "\(label)")
        if let json = try? JSONValue(parsing: original.bodyBytes) {
            #expect((try? JSONValue(parsing: written.bodyBytes)) == json, "\(label)")
        } else {
            #expect(written.bodyBytes == original.bodyBytes, "\(label)")
        }
    }
}
