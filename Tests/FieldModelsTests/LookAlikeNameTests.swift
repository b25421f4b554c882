import DocumentValues
import FieldModels
import Testing

/// Names that Swift's `String` takes for one: "é" in one code point and in two, "Å" and the sign for Ångström.
@Suite struct LookAlikeNameTests {
    private let day = CalendarDay(daysSince1970: 20_000)

    @Test func districtsAreComparedByTheirBytes() throws {
        let (first, second) = (try #require(District("\u{C5}")), try #require(District("\u{212B}")))
        #expect(first != second && Set([first, second]).count == 2)
        #expect(first < second && !(second < first))
        #expect(District(channel: "district.\u{345}x")?.code == "\u{345}x", "a mark behind the dot is the district's")
    }

    @Test func aRecordLeavesItsOwnChannelOnly() throws {
        let (old, other) = (try #require(District("\u{C5}")), try #require(District("\u{212B}")))
        var envelope = RecordEnvelope(district: old)
        envelope.channels.append(other.channel)
        envelope.move(to: try #require(District("hill")))
        #expect(envelope.channels.map { Name($0) } == ["district.hill", Name(other.channel)])
    }

    @Test func whoIsInTheOthersChannelIsNotInTheDistricts() throws {
        var site = Site(id: "site-1", name: "Mill", address: Address(), district: try #require(District("\u{C5}")))
        site.envelope.channels = ["district.\u{212B}"]
        #expect(site.problems().map(\.field) == ["channels"])
    }

    @Test func questionsAreTwo() {
        let when = FormField.Condition(field: "caf\u{E9}", equals: true)
        let fields = [
            FormField("caf\u{E9}", label: "Café", kind: .yesNo), FormField("cafe\u{301}", label: "Café", kind: .yesNo),
            FormField("x", label: "X", kind: .text, when: when),
        ]
        #expect(FormDefinition(id: "form", name: "Form", fields: fields).problems().isEmpty)
        let other = FormDefinition(id: "form", name: "Form", fields: [fields[1], fields[2]])
        #expect(other.problems().map(\.field) == ["fields[2].when.field"], "the other question is not asked before")
    }

    @Test func recordsAreEqualWhenTheirBytesAre() throws {
        let first = Site(id: "site-1", name: "caf\u{E9}", address: Address(), district: .unknown)
        var second = first
        #expect(first == second && first.hashValue == second.hashValue)
        second.name = "cafe\u{301}"
        #expect(first != second)
        second = Site(id: "site-e\u{301}", name: "Mill", address: Address(), district: .unknown)
        let third = Site(id: "site-\u{E9}", name: "Mill", address: Address(), district: .unknown)
        #expect(second != third && Set([second, third]).count == 2)
    }

    /// A slash with a mark behind it is one character, and a slash.
    @Test(arguments: ["a/\u{301}b", "../\u{301}x", ".\u{301}x", "a\r\nb"]) func aPhotosNameLeadsNowhere(name: String)
        throws
    {
        var finding = Finding(
            id: "finding-1", inspection: nil, site: "site-1", date: day, text: "Dust", district: .unknown)
        finding.photos = [Photo(name: name, blob: BlobMetadata(digest: BlobDigest(of: [1])))]
        #expect(finding.problems().map(\.field) == ["photos[1].name"])
    }

    /// A quoted text has an end, also if a character has several code points.
    @Test func anErrorQuotesAShortText() throws {
        let text = "a" + String(repeating: "\u{301}", count: 10_000)
        let body = Array(#"{"type":"inspection","site":"site-1","date":"2026-03-04","status":"\#(text)"}"#.utf8)
        #expect { try Inspection(id: "inspection-1", body: body) } throws: { "\($0)".utf8.count < 1_000 }
        let damaged = Array(#"{"type":"site","name":"Mill","location":{"latitude":"\#(text)","longitude":1}}"#.utf8)
        let site = try Site(id: "site-1", body: damaged)
        #expect(!site.problems().isEmpty && site.problems().allSatisfy { "\($0)".utf8.count < 1_000 })
    }
}
