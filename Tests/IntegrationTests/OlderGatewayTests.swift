import Foundation
import Testing

/// A laptop with a gateway that was set up for an earlier version, and has no collection for filled forms.
@Suite struct OlderGatewayTests {
    private static let form = """
        form: visit
        version: 1
        title: Visit
        questions:
          - text who: Who

        """

    @Test(.timeLimit(.minutes(3))) func theOtherRecordsAreExchangedAndTheFactIsNamed() throws {
        let gateway = try Gateway()
        let older = Array(Gateway.kinds.dropLast())
        try gateway.makeFieldDatabase(kinds: older)
        try gateway.setFieldUser("mara", ["district.hill"], kinds: older)
        let laptop = try FieldLaptop()
        #expect(try laptop.login(gateway, "mara").status == 0)
        #expect(try laptop.run("new", "site", "Mill", "district=hill").status == 0)
        let plain = try laptop.run("sync")
        #expect(plain.status == 0 && plain.out == "Sent 1 site.\n", "\(plain)")
        #expect(try laptop.run("form", "import", try laptop.file("visit.yaml", Self.form)).status == 0)
        let filled = try laptop.run("fill", "visit", "--set", "who=Ann", "--finalize", "--site", "mill")
        #expect(filled.status == 0, "\(filled)")
        #expect(try laptop.run("new", "site", "Quay", "district=hill").status == 0)
        let sync = try laptop.run("sync")
        #expect(sync.out.contains("1 site"), "\(sync)")
        #expect(sync.out.contains("The gateway has no collection for responses yet"), "\(sync)")
        // Once the administrator has added the collection, the record goes.
        try gateway.addCollection("responses", for: "mara", ["district.hill"])
        let later = try laptop.run("sync")
        #expect(later.status == 0 && later.out.contains("Sent 1 response"), "\(later)")
        #expect(!later.out.contains("has no collection"))
    }

    @Test(.timeLimit(.minutes(3))) func aDraftStaysOnItsLaptop() throws {
        let gateway = try Gateway()
        try gateway.makeFieldDatabase()
        try gateway.setFieldUser("mara", ["district.hill"])
        try gateway.setFieldUser("ines", ["district.hill"])
        let (mara, ines) = (try FieldLaptop(), try FieldLaptop())
        #expect(try mara.login(gateway, "mara").status == 0)
        #expect(try ines.login(gateway, "ines").status == 0)
        #expect(try mara.run("new", "site", "Mill", "district=hill").status == 0)
        #expect(try mara.run("form", "import", try mara.file("visit.yaml", Self.form)).status == 0)
        let draft = try mara.run("fill", "visit", "--set", "who=Ann", "--site", "mill", "--json")
        let id = try #require(draft.events.first?["_id"] as? String, "\(draft)")
        #expect(try mara.run("sync").status == 0)
        #expect(try ines.run("sync").status == 0)
        #expect(try ines.ids("responses").isEmpty)
        #expect(try mara.run("fill", id, "--finalize").status == 0)
        #expect(try mara.run("sync").status == 0)
        #expect(try ines.run("sync").status == 0)
        #expect(try ines.ids("responses") == [id])
    }
}

extension Gateway {
    /// Adds a collection as `field init` does, and gives a user channels in it.
    fileprivate func addCollection(_ name: String, for user: String, _ channels: [String]) throws {
        let function = #""function(doc) { channel(doc.channels); }""#
        let entries = Self.kinds.map { "\"\($0)\": {\"sync\": \(function)}" }.joined(separator: ",")
        let answer = try admin("POST", "/db/_config", #"{"scopes":{"field":{"collections":{\#(entries)}}}}"#)
        guard [200, 201].contains(answer.status) else {
            throw Failure(text: "\(name): POST _config answered \(answer.status)")
        }
        try setFieldUser(user, channels)
    }
}
