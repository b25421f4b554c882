import FieldRecords
import Foundation
import Testing

@testable import FieldSync

/// Why a service waits, and why it has not done what it was asked for, in the notes of a folder: versions before and after this
/// one read them, too.
@Suite struct KeptReasonTests {
    private static let signIn = SettingsError(.noLogin, path: "/f").advised

    @Test func aReasonKeepsWhatCanBeDone() throws {
        let state = ServiceState(.waiting, completed: 1, total: 2, why: Self.signIn, refused: 3)
        #expect(state.why?.marks.map(\.advice) == [.signIn])
        #expect(try JSONDecoder().decode(ServiceState.self, from: try JSONEncoder().encode(state)) == state)
        let answer = SyncNotes.Answer(id: "1", failure: Self.signIn)
        #expect(try JSONDecoder().decode(SyncNotes.Answer.self, from: try JSONEncoder().encode(answer)) == answer)
    }

    /// Its reasons name the commands themselves.
    @Test func whatAnEarlierVersionWroteIsReadAsItIs() throws {
        let text = "No user has signed in yet. Sign in with: fieldbook login"
        let json = #"{"activity":"waiting","completed":0,"total":0,"why":"\#(text)"}"#
        let state = try JSONDecoder().decode(ServiceState.self, from: Data(json.utf8))
        #expect(state == ServiceState(.waiting, why: AdvisedText(text: text)))
        let kept = #"{"id":"1","failure":"\#(text)"}"#
        let answer = try JSONDecoder().decode(SyncNotes.Answer.self, from: Data(kept.utf8))
        #expect(answer == SyncNotes.Answer(id: "1", failure: AdvisedText(text: text)))
    }

    @Test func anUnknownAdviceLeavesTheText() throws {
        let json = """
            {"activity":"offline","completed":0,"total":0,"why":"No.",
             "advice":[{"advice":{"sendByPost":{}},"form":"bare","offset":0,"length":0}, 7]}
            """
        let state = try JSONDecoder().decode(ServiceState.self, from: Data(json.utf8))
        #expect(state == ServiceState(.offline, why: "No."))
    }

    /// An earlier version reads what this one writes.
    @Test func theMembersAreThoseOfEarlierVersions() throws {
        func names(_ value: some Encodable) throws -> [String]? {
            let object = try JSONSerialization.jsonObject(with: try JSONEncoder().encode(value)) as? [String: Any]
            return object?.keys.sorted()
        }
        #expect(try names(ServiceState(.idle)) == ["activity", "completed", "total"])
        #expect(
            try names(ServiceState(.offline, why: "No.", refused: 1)) == [
                "activity", "completed", "refused", "total", "why",
            ])
        #expect(try names(SyncNotes.Answer(id: "1", failure: "No.")) == ["failure", "id"])
    }

    /// A mark in the part that is cut off would replace other text.
    @Test(arguments: [(30, 0), (200, 1)]) func aLongReasonIsCut(limit: Int, marks: Int) {
        let cut = Self.signIn.shortened(toBytes: limit)
        #expect(cut.marks.count == marks && cut.text.utf8.count <= limit + 3)
        #expect(cut.text.hasSuffix("…") == (marks == 0))
    }
}
