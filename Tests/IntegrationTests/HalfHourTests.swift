import Foundation
import Glibc
import Testing

/// Half an hour of mara's work on two laptops, 20 filled forms in all, as it is typed and seen: `Fixtures/half-hour.txt`.
@Suite(.serialized) struct HalfHourTests {
    @Test(.timeLimit(.minutes(10))) func theHalfHourIsAsItIsWritten() throws {
        let hour = try HalfHour()
        try hour.play(try TerminalScript(String(contentsOf: HalfHour.fixture("half-hour.txt"), encoding: .utf8)))
        try hour.allLeave()

        #expect(try hour.gateway.admin("GET", "/db.field.responses/_all_docs").object["total_rows"] as? Int == 20)
        // What she may no longer see is gone from the laptop that has synced, and there on the one that has not.
        #expect(try hour.laptop("first").ids("responses").count == 10)
        #expect(try hour.laptop("second").ids("responses").count == 20)
        let canteen = try #require(hour.kept["canteen"])
        let approved = try hour.laptop("supervisor").run("list", "responses", "--status", "approved", "--json").events
        #expect(approved.count == 1 && (approved.first?["_id"] as? String)?.hasSuffix(canteen) == true, "\(approved)")
    }

    @Test func aLineWithoutAMarkIsNamed() {
        let fault = #expect(throws: TerminalScript.Fault.self) { try TerminalScript("# text\n\n== a part\nsync\n") }
        #expect(fault?.description == "line 4 of the script begins with no mark: sync")
    }

    @Test(arguments: [
        ("Kept {id:a}.", "Kept yx8530kqx0.", "yx8530kqx0"), ("{a} of {number}", "first of 20", nil),
        ("(2) {any}*", "(2) x y*", nil), ("{date} {id:a}", "2026-12-01 yx8530kqx0", "yx8530kqx0"),
    ])
    func masksAreFilled(text: String, shown: String, kept: String?) throws {
        let masked = try MaskedText(text, known: ["a": "first"].filter { _ in kept == nil })
        #expect(try masked.matched(by: shown)?["a"] == kept && masked.matched(by: shown) != nil)
        #expect(try masked.found(in: "x \(shown) y")?["a"] == kept && masked.matched(by: "x \(shown)") == nil)
    }
}

/// The laptops and the gateway of the script, and its steps taken there.
private final class HalfHour {
    enum Event: String {
        case gatewayStops = "the gateway stops"
        case gatewayStarts = "the gateway starts"
        case hillIsTaken = "mara loses the district hill"
    }

    /// Seconds; generous, for a machine that has other work.
    private static let limit: TimeInterval = 60
    private static let districts = ["district.hill", "district.shore"]
    let gateway: Gateway
    private(set) var kept: [String: String]
    private let laptops: [String: FieldLaptop]
    private var terminals: [String: TmuxTerminal] = [:]
    /// Where something is typed now.
    private var present = ""
    private let office: FieldLaptop

    /// The office has published both forms, and made two sites in each of two districts.
    init() throws {
        gateway = try Gateway()
        try gateway.makeFieldDatabase(
            sync: try String(contentsOf: Self.repository.appendingPathComponent("sample-data/sync.js"), encoding: .utf8)
        )
        try gateway.setFieldUser("mara", ["!"] + Self.districts)
        try gateway.setFieldUser("ines", ["!"] + Self.districts, roles: ["supervisor"])
        try gateway.setFieldUser("office", ["*"], roles: ["office"])
        office = try FieldLaptop()
        laptops = ["first": try FieldLaptop(), "second": try FieldLaptop(), "supervisor": try FieldLaptop()]
        kept = ["files": office.root.path]
        for name in ["kitchen.json", "water.json"] { try copy(Self.fixture(name)) }
        try copy(Self.repository.appendingPathComponent("sample-data/photos/back-door.png"))
        try publish()
        for (name, laptop) in laptops {
            try #require(try laptop.login(gateway, name == "supervisor" ? "ines" : "mara").status == 0)
        }
    }

    private func publish() throws {
        try #require(try office.login(gateway, "office").status == 0)
        for form in ["kitchen_hygiene", "water_point"] {
            let file = Self.repository.appendingPathComponent("sample-data/forms/\(form).yaml").path
            let output = try office.run("form", "import", file)
            try #require(output.status == 0, "\(output)")
        }
        for (site, district) in [
            ("Harbour canteen", "hill"), ("Mill village", "hill"), ("Quay kitchen", "shore"),
            ("Landing stage", "shore"),
        ] {
            try #require(try office.run("new", "site", site, "district=\(district)", "--yes").status == 0)
        }
        try #require(try office.run("sync").status == 0)
    }

    private func copy(_ file: URL) throws {
        try FileManager.default.copyItem(at: file, to: office.root.appendingPathComponent(file.lastPathComponent))
    }

    func laptop(_ name: String) throws -> FieldLaptop { try #require(laptops[name], "there is no laptop '\(name)'") }

    static func fixture(_ name: String) throws -> URL {
        let folder = try #require(Bundle.module.url(forResource: "Fixtures", withExtension: nil))
        return folder.appendingPathComponent(name)
    }

    private static let repository = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    // MARK: Steps

    func play(_ script: TerminalScript) throws {
        for step in script.steps {
            do {
                try take(step.action)
            } catch {
                throw TerminalScript.Fault(description: "line \(step.line), '\(step.part)': \(error)")
            }
        }
    }

    private func take(_ action: TerminalScript.Action) throws {
        switch action {
        case .laptop(let name): try turn(to: name)
        case .event(let name): try happen(try #require(Event(rawValue: name), "there is no event '\(name)'"))
        case .command(let line): try command(filled(line))
        case .answer(let line), .text(let line): try terminal().enter(filled(line))
        case .interrupt: try terminal().press(.controlC)
        case .typedAndKilled(let text): try strike(whileTyping: text)
        case .seen(let text):
            let masked = try MaskedText(text, known: kept)
            try look(for: text) { try masked.found(in: $0.joined(separator: " ")) }
        case .seenLine(let text):
            let masked = try MaskedText(text, known: kept)
            try look(for: text) { lines in
                for line in lines { if let found = try masked.matched(by: line) { return found } }
                return nil
            }
        }
    }

    private func turn(to name: String) throws {
        present = name
        guard terminals[name] == nil else { return }
        let terminal = try laptop(name).terminal(columns: 100, rows: 40)
        terminals[name] = terminal
        try terminal.waitForPrompt("fieldbook", within: Self.limit)
    }

    private func terminal() throws -> TmuxTerminal { try #require(terminals[present], "no terminal is open") }

    /// A long answer is read to its last page.
    private func command(_ line: String) throws {
        let terminal = try terminal()
        try terminal.enter(line)
        while try terminal.waitForPrompt(of: ["fieldbook", "Enter: more"], within: Self.limit) != "fieldbook" {
            try terminal.turnPage()
        }
    }

    private func look(for text: String, _ found: ([String]) throws -> [String: String]?) throws {
        try terminal().waitForLines(filled(text), within: Self.limit) { lines in
            // Without the lines of the screen that are empty yet.
            guard let values = try found(lines.filter { !$0.isEmpty }) else { return false }
            kept.merge(values) { $1 }
            return true
        }
    }

    private func filled(_ text: String) -> String {
        kept.reduce(text) { $0.replacingOccurrences(of: "{\($1.key)}", with: $1.value) }
    }

    private func happen(_ event: Event) throws {
        switch event {
        case .gatewayStops: _ = gateway.kill(SIGTERM)
        case .gatewayStarts: try gateway.start()
        case .hillIsTaken: try gateway.setFieldUser("mara", ["!", "district.shore"])
        }
    }

    private func strike(whileTyping text: String) throws {
        let terminal = try terminal()
        try terminal.type(text)
        try terminal.kill()
        #expect(try terminal.exitStatus(within: Self.limit) == 128 + SIGKILL)
        try checkWidth(of: terminal)
        terminals[present] = nil
    }

    func allLeave() throws {
        for terminal in terminals.values {
            try terminal.enter("quit")
            #expect(try terminal.exitStatus(within: Self.limit) == 0)
            try checkWidth(of: terminal)
        }
        terminals = [:]
    }

    /// Nothing is broken at the edge of the screen but what was typed.
    private func checkWidth(of terminal: TmuxTerminal) throws {
        let broken = try terminal.linesBrokenByTheTerminal.filter { !$0.hasPrefix("  >") }
        #expect(broken.isEmpty, "\(broken)")
    }
}
