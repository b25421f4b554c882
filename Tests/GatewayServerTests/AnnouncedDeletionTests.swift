import DocumentValues
import Logging
import SyncFunction
import Testing

@testable import GatewayServer

/// A gateway that was restored from a backup has not what was made since, and others have it: they hear of its deletion, also
/// from those who have received it.
@Suite(.timeLimit(.minutes(2))) struct AnnouncedDeletionTests {
    typealias Rows = FieldSyncFunctionTests

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let user: SyncFunctionUser?
        let channels: String
        /// Whom the deletion names as the record's creator.
        var creator: String? = "ann"
        var old: String?
        let announcedTo: [String]
    }

    @Test(arguments: [
        Row(
            testDescription: "her district", user: Rows.ann, channels: #"["district.harbour"]"#,
            announcedTo: ["district.harbour"]),
        Row(
            testDescription: "another district", user: Rows.ann, channels: #"["district.north","district.harbour"]"#,
            announcedTo: ["district.harbour"]),
        Row(testDescription: "everybody", user: Rows.ann, channels: #"["!","*"]"#, announcedTo: []),
        Row(testDescription: "everybody, by the office", user: Rows.office, channels: #"["!"]"#, announcedTo: ["!"]),
        Row(
            testDescription: "of nobody", user: Rows.ann, channels: #"["district.harbour"]"#, creator: nil,
            announcedTo: []),
        Row(
            testDescription: "over a deletion of somebody else's", user: Rows.ann, channels: #"["district.harbour"]"#,
            creator: "bob", old: Rows.tombstone, announcedTo: []),
        Row(
            testDescription: "of somebody else's, by a supervisor", user: Rows.ines,
            channels: #"["district.harbour"]"#, creator: "bob", announcedTo: ["district.harbour"]),
        Row(
            testDescription: "of nobody's, by an administrator", user: Rows.admin, channels: #"["district.harbour"]"#,
            creator: nil, announcedTo: ["district.harbour"]),
        Row(testDescription: "no list", user: Rows.ann, channels: #"{"length":1}"#, announcedTo: []),
        Row(
            testDescription: "over a deletion", user: Rows.ann, channels: #"["district.harbour"]"#, old: Rows.tombstone,
            announcedTo: ["district.harbour"]),
        Row(
            testDescription: "of what is there", user: Rows.ann, channels: #"["district.harbour"]"#,
            old: Rows.record("site"), announcedTo: ["district.harbour"]),
        Row(
            testDescription: "of what is there, elsewhere", user: Rows.ann,
            channels: #"["!","district.north","district.harbour"]"#, old: Rows.record("site"),
            announcedTo: ["district.harbour"]),
        Row(
            testDescription: "of what is there, without a word", user: Rows.ann, channels: "[]",
            old: Rows.record("site"), announcedTo: []),
    ])
    func aDeletionGoesToTheChannelsThatItMayName(row: Row) async throws {
        let creator = row.creator.map { #""createdBy":"\#($0)","# } ?? ""
        let outcome = try await Self.pool.run([
            SyncFunctionCall(
                function: SyncFunctionSource(FieldSchema.syncFunction),
                document: Rows.identified(#"{"_deleted":true,\#(creator)"channels":\#(row.channels)}"#),
                oldDocument: row.old.map(Rows.identified), user: row.user)
        ])[0]
        #expect(outcome.rejection == nil)
        #expect(outcome.channels.map(\.text).sorted() == row.announcedTo)
    }

    private static let pool = SyncFunctionPool(executable: TestGateway.workerPath, logger: Logger(label: "test"))
}
