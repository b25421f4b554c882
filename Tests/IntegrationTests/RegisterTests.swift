import CityRegister
import Foundation
import Testing

/// A part of a city's register, from its files through a gateway to a district's inspector and away again. `RecordImportTests`
/// imports the whole one.
@Suite(.serialized) struct RegisterTests {
    private static let kinds = ["sites", "inspections", "findings"]

    /// The rows of every eighth business.
    private static func part(of register: String, in laptop: FieldLaptop) throws -> String {
        let folder = laptop.root.appendingPathComponent("register")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for name in ["businesses.csv", "inspections.csv", "violations.csv"] {
            let source = URL(fileURLWithPath: register).appendingPathComponent(name)
            // Not all of it is UTF-8.
            let rows = try Data(contentsOf: source).split(separator: UInt8(ascii: "\n"))
            let chosen = rows.enumerated().filter { number, row in
                let business = Int(String(decoding: row.prefix { $0 != UInt8(ascii: ",") }, as: UTF8.self))
                return number == 0 || business.map { $0 % 8 == 0 } == true
            }
            let text = chosen.map { $0.element + Data("\n".utf8) }.joined()
            try Data(text).write(to: folder.appendingPathComponent(name))
        }
        return folder.path
    }

    @Test(
        .timeLimit(.minutes(20)),
        .enabled(if: CityRegister.folder != nil, Comment(rawValue: CityRegister.howToHaveIt)))
    func anInspectorGetsExactlyOneDistrictAndLosesIt() throws {
        let gateway = try Gateway()
        try gateway.makeFieldDatabase()
        try gateway.setFieldUser("office", ["*"])
        try gateway.setFieldUser("cory", ["district.94110"])
        let (office, cory) = (try FieldLaptop(), try FieldLaptop())
        let register = try Self.part(of: try #require(CityRegister.folder), in: office)
        #expect(try office.run("import", register, limit: 300).status == 0)
        let imported = try Dictionary(uniqueKeysWithValues: Self.kinds.map { ($0, try office.ids($0).count) })
        _ = try office.login(gateway, "office")
        let push = try office.run("sync", "--json", limit: 900)
        #expect(push.status == 0, "\(push.err)")
        let sent = try #require(push.events.last?["sent"] as? [String: Int])
        #expect(sent == imported && imported.values.allSatisfy { $0 > 500 }, "\(sent) of \(imported)")

        _ = try cory.login(gateway, "cory")
        #expect(try cory.run("sync", limit: 300).status == 0)
        #expect(try cory.ids("sites").count > 30)
        for kind in Self.kinds {
            let here = Set(try cory.ids(kind))
            let list = try office.run("list", kind, "--district", "94110", "--json", limit: 300)
            #expect(list.status == 0, "\(list.err)")
            #expect(here == Set(list.events.compactMap { $0["_id"] as? String }), "\(kind)")
        }
        try gateway.setFieldUser("cory", [])
        #expect(try cory.run("sync", limit: 300).status == 0)
        for kind in Self.kinds { #expect(try cory.ids(kind).isEmpty, "\(kind)") }
        #expect(try cory.run("quarantine", "--json").events.isEmpty)
    }
}
