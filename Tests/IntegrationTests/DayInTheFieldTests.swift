import Foundation
import Glibc
import Testing

/// A day of mara's, who has two laptops and a gateway with the sync function that comes with Fieldbook, as she types it
/// and sees it: her work is found and handed in, a battery goes flat at every kind of question, both laptops change
/// one inspection without a network, the gateway refuses a record, and nothing is deleted that nobody agreed to.
@Suite(.serialized) struct DayInTheFieldTests {
    @Test(.timeLimit(.minutes(10)), arguments: [80, 40]) func aDayWithTwoLaptops(columns: Int) throws {
        let day = try FieldDay(columns: columns)
        try day.workIsFoundStartedAndHandedIn()
        try day.aFlatBatteryLosesNoAnswer()
        try day.twoLaptopsChangeOneInspection()
        try day.whatWasNeverSentIsDeletedWithoutATrace()
        try day.whatIsRefusedIsSentAgainOrDiscarded()
        try day.nothingIsDestroyedWhereNobodyCanBeAsked()
    }
}

private final class FieldDay {
    private let columns: Int
    private let gateway: Gateway
    private let first: FieldLaptop
    private let second: FieldLaptop

    /// The office has made a site, a form and an assignment that is a week late; both laptops have them.
    init(columns: Int) throws {
        self.columns = columns
        gateway = try Gateway()
        try gateway.makeFieldDatabase(sync: try Self.shippedSyncFunction)
        try gateway.setFieldUser("mara", ["!", "district.hill", "district.shore"])
        (first, second) = (try FieldLaptop(usesPassphrase: true), try FieldLaptop())
        let records = [
            ("sites/site-mill", #"{"type":"site","schema":1,"name":"Old mill","district":"hill"}"#),
            ("forms/form-kitchen", Self.form),
            (
                "assignments/assignment-1",
                #"{"type":"assignment","schema":1,"inspector":"mara","site":"site-mill","form":"form-kitchen","#
                    + #""due":"\#(Self.day(Date(timeIntervalSinceNow: -7 * 86_400)))","status":"open","#
                    + #""district":"hill"}"#
            ),
        ]
        for (path, record) in records { try put(path, record) }
        for laptop in [first, second] {
            try #require(try laptop.login(gateway, "mara").status == 0)
            try #require(try laptop.run("sync").status == 0)
        }
    }

    // MARK: Today's work

    func workIsFoundStartedAndHandedIn() throws {
        let desk = try sitDown(at: first)
        try desk.sees("Today: 1 overdue. See it with: today")
        try desk.types("today", sees: "Old mill", "Begin with one: start NUMBER")
        // Whatever day it is by now.
        try desk.types("start 1", asksFor: "Date [20")
        try desk.answers("", asksFor: "Number [1]:")
        try desk.answers("", asksFor: "Fridge temperature")
        try desk.answers("400", sees: "must be -5 to 25")
        try desk.answers("4,5", asksFor: "Hand basin with soap")
        try desk.answers("", asksFor: "Signs of pests")
        try desk.answers("n", asksFor: "Score")
        try desk.answers("92", asksFor: "Notes")
        try desk.answers("", asksFor: "Finding")
        try desk.answers("", sees: "Saved draft", "for Old mill", "Still to answer: Hand basin with soap")
        // It is saved, it cannot be handed in yet, and the question that is open has a name that she knows.
        try desk.types("submit 2", sees: "Hand basin with soap")
        try desk.types("edit 2", asksFor: "Hand basin with soap")
        try desk.answers("y", asksFor: "Notes")
        try desk.answers(".", sees: "Saved the inspection")
        try desk.types("submit 2", sees: "Submitted")
        try desk.types("today", sees: "2 records here the gateway does not have yet: sync")
        try desk.types("sync", sees: "Sent 1 inspection and 1 assignment.")
        try desk.types("today", sees: "Nothing is due, and nothing waits for you.")
        let assignment = try gateway.admin("GET", "/db.field.assignments/assignment-1").object
        #expect(assignment["status"] as? String == "done")
        #expect(assignment["inspection"] as? String == (try first.ids("inspections").first))
        try desk.leaves()
    }

    // MARK: A flat battery

    func aFlatBatteryLosesNoAnswer() throws {
        var desk = try sitDown(at: first)
        try desk.types("new inspection mill", asksFor: "Date")
        try desk.answers("", asksFor: "Number [1]:")
        try desk.answers("", asksFor: "Fridge temperature")
        try desk.answers("6.5", asksFor: "Hand basin with soap")
        try desk.isStruckWhileTyping("y")

        desk = try sitDown(at: first)
        try desk.sees("Today: 1 draft, ")
        try desk.types("today", sees: "Drafts", "Go on with a draft: edit NUMBER")
        try desk.types("edit 1", asksFor: "Hand basin with soap")
        try desk.answers("n", asksFor: "Signs of pests")
        try desk.isStruckWhileTyping("n")

        desk = try comesBack()
        try desk.types("edit 1", asksFor: "Signs of pests")
        try desk.answers("y", asksFor: "Number:")
        try desk.answers("mice", asksFor: "Score")
        try desk.isStruckWhileTyping("7")

        desk = try comesBack()
        try desk.types("new finding 1", asksFor: "What is wrong:")
        try desk.answers("Droppings behind the oven", asksFor: "Number:")
        try desk.isStruckWhileTyping("1")

        desk = try comesBack()
        try desk.types("show 1", sees: "6.5", "mice", "Droppings behind the oven")
        try desk.types("edit 1", asksFor: "Score")
        try desk.answers("70", asksFor: "Notes")
        try desk.answers(".", sees: "Saved the inspection")
        try desk.types("sync", sees: "Sent 1 inspection and 1 finding.")
        try desk.leaves()
    }

    /// With a new battery, and what was begun at hand as number 1.
    private func comesBack() throws -> Desk {
        let desk = try sitDown(at: first)
        try desk.types("today", sees: "Drafts")
        return desk
    }

    // MARK: One inspection on two laptops

    func twoLaptopsChangeOneInspection() throws {
        let draft = try #require(try first.run("list", "--status", "draft", "--json").events.first?["_id"] as? String)
        let (one, two) = (try sitDown(at: first), try sitDown(at: second))
        try two.types("sync", sees: "Received 2 inspections, 1 finding and 1 assignment.")

        _ = gateway.kill(SIGTERM)
        try two.types("edit \(draft) score=60 visit=complaint", sees: "Saved the inspection")
        try one.types("edit \(draft) score=80 notes=\"from the first laptop\"", sees: "Saved the inspection")
        try one.types("sync", sees: "cannot be reached", "safe here")
        try gateway.start()

        try two.types("sync", sees: "Sent 1 inspection.")
        try one.types(
            "sync", sees: "was changed on both sides. To decide: Score; see: conflicts", "Score:", "80 (mara on",
            "60 (mara on")
        #expect(try one.prompt.hasPrefix("fieldbook (1 conflict"))
        try one.types("conflicts", sees: "inspection \(Self.short(draft))", "Score")
        try one.types(
            "conflicts show 1", sees: "Old mill", "80", "60", "Decide: conflicts take 1 mine, or theirs, or score=VALUE"
        )
        try one.types("show \(draft)", sees: "To decide: Score")
        try one.types("today", sees: "1 record with something to decide: conflicts")
        // A laptop that is opened with something to decide says so.
        let visitor = try sitDown(at: first)
        try visitor.sees("1 conflict")
        try visitor.leaves()

        try two.types("sync", sees: "Received 1 inspection.")
        try two.types("conflicts", sees: "Score")
        try two.types("conflicts take 1 mine", sees: "Decided: Score is 60.")
        try two.types("sync", sees: "Sent 1 inspection.")
        try one.types("sync", sees: "Received 1 inspection.")
        for desk in [one, two] {
            try desk.types("conflicts", sees: "There is nothing to decide.")
            try desk.types("outbox", sees: "The gateway has refused nothing.")
            try desk.types("show \(draft)", sees: "60", "complaint", "from the first laptop")
            #expect(try !desk.prompt.contains("conflict"))
            try desk.leaves()
        }
    }

    // MARK: The outbox

    func whatWasNeverSentIsDeletedWithoutATrace() throws {
        let before = try gateway.admin("GET", "/db.field.inspections/_all_docs").object["total_rows"] as? Int
        let desk = try sitDown(at: first)
        try desk.types("new inspection mill score=1 --yes", sees: "Saved draft")
        let made = try first.run("list", "--status", "draft", "--json").events.first { $0["score"] as? Int == 1 }
        let day = try #require(made?["date"] as? String)
        let question = "Delete the inspection of Old mill, \(day) routine, draft, score 1? y or n"
        try desk.types("delete 1", asksFor: question)
        try desk.answers("n", sees: "Nothing was deleted.")
        try desk.types("delete 1", asksFor: question)
        try desk.answers("y", sees: "Deleted the inspection of Old mill")
        try desk.types("sync", sees: "Nothing new on either side.")
        try desk.types("outbox", sees: "The gateway has refused nothing.")
        #expect(try gateway.admin("GET", "/db.field.inspections/_all_docs").object["total_rows"] as? Int == before)
        try desk.leaves()
    }

    /// Two sites are made in a district that is taken from her before she has sent them.
    func whatIsRefusedIsSentAgainOrDiscarded() throws {
        let desk = try sitDown(at: first)
        try desk.types("new site Quay district=shore --yes", sees: "Saved the site Quay.")
        try desk.types("new site Pier district=shore --yes", sees: "Saved the site Pier.")
        try gateway.setFieldUser("mara", ["!", "district.hill"])
        let reason = "The district shore is not one of yours."
        try desk.types("sync", sees: "The gateway refused 2 records", reason)
        try desk.types("outbox", sees: "Quay", "Pier", reason)
        let quay = try number(inOutbox: "Quay")
        try desk.types("outbox show \(quay)", sees: reason, "Since", "outbox retry \(quay)", "outbox discard \(quay)")
        try desk.types("today", sees: "The gateway refused 2 records: outbox")
        try desk.types("outbox discard \(try number(inOutbox: "Pier"))", asksFor: "Discard the new site")
        try desk.answers("y", sees: "Nothing of it is left.")
        // Her supervisor has given her the district again.
        try gateway.setFieldUser("mara", ["!", "district.hill", "district.shore"])
        try desk.types("outbox retry \(quay)", sees: "is sent again with the next sync")
        try desk.types("sync", sees: "Sent 1 site.")
        try desk.types("outbox", sees: "The gateway has refused nothing.")
        try desk.types("sync", sees: "Nothing new on either side.")
        try desk.leaves()
        let names = try first.run("sites", "--json").events.compactMap { $0["name"] as? String }
        #expect(Set(names) == ["Old mill", "Quay"] && names.count == 2)
    }

    private func number(inOutbox name: String) throws -> Int {
        let id = try #require(
            try first.run("sites", "--json").events.first { $0["name"] as? String == name }?["_id"] as? String)
        return try #require(
            try first.run("outbox", "--json").events.first { $0["_id"] as? String == id }?["number"] as? Int)
    }

    // MARK: Without a terminal

    func nothingIsDestroyedWhereNobodyCanBeAsked() throws {
        let others = Set(try first.ids("inspections"))
        try #require(try first.run("new", "inspection", "mill", "score=2", "--yes").status == 0)
        let before = try first.ids("inspections")
        // Of the others nobody is asked anything: they cannot be deleted.
        let draft = try #require(before.first { !others.contains($0) })
        for input in ["n\n", "y\n", ""] {
            let output = try first.run("delete", draft, input: input)
            #expect(output.status == 2 && output.err.contains("Nobody can be asked here: add --yes"), "\(output)")
        }
        #expect(try first.ids("inspections") == before)
        try #require(try first.run("delete", draft, "--yes").status == 0)
        // What she changed in a district that is taken from her is put aside, and stays there until she gives it up.
        try #require(try first.run("edit", "quay", "notes=never sent").status == 0)
        try gateway.setFieldUser("mara", ["!", "district.hill"])
        let sync = try first.run("sync")
        #expect(sync.status == 0, "\(sync)")
        let kept = try #require(try first.run("quarantine", "--json").events.first?["number"] as? Int)
        let output = try first.run("quarantine", "discard", String(kept), input: "n\n")
        #expect(output.status == 2 && output.err.contains("Nobody can be asked here: add --yes"), "\(output)")
        #expect(try first.run("quarantine", "--json").events.count == 1)
        #expect(try first.run("quarantine", "discard", String(kept), "--yes").status == 0)
        #expect(try first.run("quarantine", "--json").events.isEmpty)
    }

    // MARK: What the day needs

    /// As people see it.
    private static func short(_ id: String) -> String {
        String(id.trimmingPrefix("inspection-"))
    }

    private func sitDown(at laptop: FieldLaptop) throws -> Desk { try Desk(laptop, columns: columns) }

    private func put(_ path: String, _ record: String) throws {
        let (kind, id) = (path.split(separator: "/")[0], path.split(separator: "/")[1])
        let channel = kind == "forms" ? "!" : "district.hill"
        let body = "{\"channels\":[\"\(channel)\"]," + record.dropFirst()
        let answer = try gateway.admin("PUT", "/db.field.\(kind)/\(id)", body)
        try #require(answer.status == 201, "\(String(decoding: answer.body, as: UTF8.self))")
    }

    private static let form = """
        {"type":"form","schema":1,"name":"Kitchen hygiene","version":1,"fields":[
        {"name":"fridge","label":"Fridge temperature (°C)","kind":"number","required":true,"minimum":-5,"maximum":25},
        {"name":"hands","label":"Hand basin with soap","kind":"yesNo","required":true},
        {"name":"pests","label":"Signs of pests","kind":"yesNo","required":true},
        {"name":"pestKind","label":"Which pests","kind":"choice","required":true,"choices":["mice","rats"],
        "when":{"field":"pests","equals":true}}]}
        """

    private static var shippedSyncFunction: String {
        get throws {
            let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                .deletingLastPathComponent().appendingPathComponent("sample-data/sync.js")
            return try String(contentsOf: file, encoding: .utf8)
        }
    }

    /// In local time, as people write it.
    private static func day(_ date: Date) -> String {
        let parts = Calendar(identifier: .gregorian).dateComponents(in: .current, from: date)
        return String(format: "%04d-%02d-%02d", parts.year ?? 0, parts.month ?? 0, parts.day ?? 0)
    }
}

/// A user at a laptop with an open shell: typed lines, and the screen after them.
private struct Desk {
    /// Seconds; generous, for a machine that has other work.
    private static let limit: TimeInterval = 60
    private let laptop: FieldLaptop
    private let terminal: TmuxTerminal

    /// Opens the shell.
    init(_ laptop: FieldLaptop, columns: Int) throws {
        self.laptop = laptop
        terminal = try laptop.terminal(columns: columns)
        try terminal.waitForPrompt("fieldbook", within: Self.limit)
    }

    func sees(_ texts: String...) throws { for text in texts { try terminal.waitFor(text, within: Self.limit) } }

    /// A command that ends with a new prompt; a long answer is read to its last page.
    func types(_ line: String, sees texts: String...) throws {
        try terminal.enter(line)
        while try terminal.waitForPrompt(of: ["fieldbook", "Enter: more"], within: Self.limit) != "fieldbook" {
            try terminal.turnPage()
        }
        for text in texts { try terminal.waitFor(text, within: Self.limit) }
    }

    /// A command that asks something.
    func types(_ line: String, asksFor question: String) throws { try answers(line, asksFor: question) }

    func answers(_ line: String, asksFor question: String) throws {
        try terminal.enter(line)
        try terminal.waitFor(question, within: Self.limit)
    }

    func answers(_ line: String, sees texts: String...) throws {
        try terminal.enter(line)
        for text in texts { try terminal.waitFor(text, within: Self.limit) }
    }

    var prompt: String {
        get throws { try terminal.screen.last { !$0.isEmpty } ?? "" }
    }

    /// The battery goes flat with something typed and not yet entered.
    func isStruckWhileTyping(_ text: String) throws {
        try terminal.type(text)
        try terminal.kill()
        #expect(try terminal.exitStatus(within: Self.limit) == 128 + SIGKILL)
        try checkWidth()
    }

    func leaves() throws {
        try terminal.enter("quit")
        #expect(try terminal.exitStatus(within: Self.limit) == 0)
        try checkWidth()
    }

    private func checkWidth() throws {
        let broken = try terminal.linesBrokenByTheTerminal
        #expect(broken.isEmpty, "\(broken)")
    }
}
