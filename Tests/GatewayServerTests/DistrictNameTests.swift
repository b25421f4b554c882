import FieldModels
import Testing

@testable import GatewayServer

/// The gateway's commands take for a district what laptops take, and give it the same channel.
@Suite struct DistrictNameTests {
    @Test(arguments: [
        "harbour", "94110", "a-b_c", "Straße", "Jos\u{e9}", "", " ", "a b", "a.b", "a/b", "*", "!", "a\u{0}", "½", "٣",
        "e\u{301}",
        "\u{200b}", String(repeating: "a", count: 64), String(repeating: "a", count: 65),
        String(repeating: "\u{e9}", count: 32), String(repeating: "\u{e9}", count: 33),
    ])
    func aNameIsOneForBothOrNeither(name: String) {
        let (ofGateway, ofLaptop) = (FieldDistrict(name), District(name))
        #expect((ofGateway == nil) == (ofLaptop == nil), "\(name.debugDescription)")
        #expect(ofGateway?.key.utf8.elementsEqual(ofLaptop?.channel.utf8 ?? "".utf8) ?? true)
        #expect((FieldDistrict(key: "district." + name) == nil) == (District(channel: "district." + name) == nil))
    }

    @Test(arguments: [
        ("harbour", "Harbour"), ("harbour", "h\u{430}rbour"), ("mara", "МАРА"), ("Jos\u{e9}", "jose"),
        ("Jos\u{e9}", "Jose\u{301}"), ("mill", "ｍill"),
    ])
    func whatPeopleMayTakeForOneNameIsNoticed(names: (String, String)) {
        #expect(NameShape(names.0) == NameShape(names.1))
        #expect(NameShape(names.0) != NameShape(names.1 + "2"))
        #expect(NameShape("mill") != NameShape("hill"))
    }

    /// Which of two rows is to be disabled nobody could see otherwise.
    @Test func namesThatReadAlikeAreSpelled() {
        let names = ["Jose\u{301}", "Jos\u{e9}", "jos\u{e9}", "Jose", "h\u{430}rbour", "harbour"]
        let shown = NameSpelling.shown(names)
        #expect(shown.map { $0.contains("(") } == [true, true, false, false, true, false], "\(shown)")
        #expect(shown[1].hasSuffix(" (Jos\\u{00E9})"), "\(shown)")
        let alike = NameSpelling.alike("Jos\u{e9}", among: names)
        #expect(alike.count == 3 && alike[0].hasSuffix(" (Jose\\u{0301})") && alike[2] == "Jose", "\(alike)")
    }

    @Test func bothCompareNamesByTheirBytes() throws {
        let pair = ["Jos\u{e9}", "Jose\u{301}"]
        #expect(Set(pair.compactMap { FieldDistrict($0) }).count == Set(pair.compactMap { District($0) }).count)
    }
}
