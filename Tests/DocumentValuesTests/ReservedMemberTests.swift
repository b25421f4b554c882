import DocumentValues
import Testing

/// The members of the protocol in a document are found once, and by one list of names.
@Suite struct ReservedMemberTests {
    private static let text = #"{"_attachments":{},"a":1,"_exp":5,"_foo":2,"_sync_x":3,"b":"\u0041"}"#

    private func read(_ text: String) throws -> (ReservedMembers, [UInt8]) {
        let bytes = Array(text.utf8)
        return (ReservedMembers(of: try JSONTopLevel(scanning: bytes)), bytes)
    }

    @Test func eachNameIsItsOwnMember() {
        for member in ReservedMember.allCases { #expect(ReservedMember(member.name) == member) }
        #expect(Set(ReservedMember.allCases.map { Name($0.name) }).count == ReservedMember.allCases.count)
        for name in ["", "a", "_", "_foo", "id", "_idx", "_ID", "_id\u{301}"] { #expect(ReservedMember(name) == nil) }
        #expect(ReservedMember("_sync_anything") == .partOfSync)
    }

    @Test func areFoundInTheirOrderWithTheirValues() throws {
        let (reserved, bytes) = try read(Self.text)
        #expect(reserved.found.map(\.member) == [.attachments, .expiry, .partOfSync])
        #expect(reserved.found.map(\.name) == ["_attachments", "_exp", "_sync_x"] && !reserved.isEmpty)
        #expect(try reserved.value(of: .expiry, in: bytes) == 5)
        #expect(try reserved.value(of: .deleted, in: bytes) == nil && reserved[.deleted] == nil)
        #expect(try read(#"{"a":1,"_foo":2}"#).0.isEmpty)
    }

    @Test func theRestKeepsItsBytes() throws {
        let (reserved, bytes) = try read(Self.text)
        func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
        #expect(text(reserved.removing(from: bytes)) == #"{"a":1,"_foo":2,"b":"\u0041"}"#)
        #expect(
            text(reserved.removing([.expiry, .id], from: bytes))
                == #"{"_attachments":{},"a":1,"_foo":2,"_sync_x":3,"b":"\u0041"}"#)
        #expect(reserved.removing([.id], from: bytes) == bytes && reserved.removing([], from: bytes) == bytes)
    }
}

@Suite struct AttachmentListTests {
    private static let digest = "sha1-qvTGHdzF6KLavt4PO0gs2a6pQ00="

    @Test func anEntryIsReadOnce() throws {
        let list: AttachmentList = [
            "a": ["digest": .string(Self.digest), "length": 5, "revpos": 2, "stub": true],
            "b": ["digest": "md5-x", "data": "AA=="], "c": 5, "d": ["digest": 5, "data": 5, "length": 1.5],
        ]
        let entries = list.entries
        #expect(entries.map(\.name) == ["a", "b", "c", "d"] && list.count == 4 && !list.isEmpty)
        #expect(entries.map { $0.digest?.text } == [Self.digest, "md5-x", nil, nil])
        #expect(entries.map { $0.blob?.text } == [Self.digest, nil, nil, nil])
        #expect(entries.map(\.length) == [5, nil, nil, nil] && entries.map(\.position) == [2, nil, nil, nil])
        #expect(entries.map(\.isStub) == [true, false, false, false])
        #expect(
            entries.map(\.hasData) == [false, true, false, true] && entries.map(\.data) == [nil, "AA==", nil, nil])
        #expect(entries.map { $0.object == nil } == [false, false, true, false])
        #expect(list.digests == [Name(Self.digest), "md5-x"])
        #expect(AttachmentList(entries: entries) == list && AttachmentList(list.object) == list)
        #expect(AttachmentList(entries: entries).object.bytes == list.object.bytes)
    }

    /// Swift's own comparison takes the two for one name.
    @Test func namesAreComparedByTheirBytes() {
        let list: AttachmentList = ["\u{e9}": ["length": 1], "e\u{301}": ["length": 2]]
        #expect(list.count == 2 && list.named["e\u{301}"]?.length == 2 && list.named["\u{e9}"]?.length == 1)
    }
}
