import CityRegister
import Foundation
import Testing

/// A city's register of 59,638 rows, from its files through a gateway to a district's inspector and away again.
@Suite(.serialized) struct RegisterTests {
    @Test(
        .timeLimit(.minutes(20)),
        .enabled(if: CityRegister.folder != nil, Comment(rawValue: CityRegister.howToHaveIt)))
    func anInspectorGetsExactlyOneDistrictAndLosesIt() throws {
        let gateway = try Gateway()
        try gateway.makeFieldDatabase()
        try gateway.setFieldUser("office", ["*"])
        try gateway.setFieldUser("cory", ["district.94110"])
        let (office, cory) = (try FieldLaptop(), try FieldLaptop())
        #expect(try office.run("import", try #require(CityRegister.folder), limit: 300).status == 0)
        _ = try office.login(gateway, "office")
        let push = try office.run("sync", "--json", limit: 900)
        #expect(push.status == 0, "\(push.err)")
        let sent = try #require(push.events.last?["sent"] as? [String: Int])
        #expect(sent == ["sites": 6_399, "inspections": 14_233, "findings": 39_006])

        _ = try cory.login(gateway, "cory")
        #expect(try cory.run("sync", limit: 300).status == 0)
        #expect(try cory.ids("sites").count == 593)
        for kind in ["sites", "inspections", "findings"] {
            let here = Set(try cory.ids(kind))
            let list = try office.run("list", kind, "--district", "94110", "--json", limit: 300)
            #expect(list.status == 0, "\(list.err)")
            #expect(here == Set(list.events.compactMap { $0["_id"] as? String }), "\(kind)")
        }
        try gateway.setFieldUser("cory", [])
        #expect(try cory.run("sync", limit: 300).status == 0)
        for kind in ["sites", "inspections", "findings"] { #expect(try cory.ids(kind).isEmpty, "\(kind)") }
        #expect(try cory.run("quarantine", "--json").events.isEmpty)
    }
}
