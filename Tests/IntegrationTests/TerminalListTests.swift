import Foundation
import Testing

/// Refused records, the day's work and long lists, in a real terminal.
@Suite(.serialized) struct TerminalListTests {
    private static let reason = "this site lies in a district that has not been opened yet, so ask for it first"

    @Test(.timeLimit(.minutes(3)), arguments: [80, 40]) func aRefusalIsReadInFullAndEnded(columns: Int) throws {
        let gateway = try Gateway()
        try gateway.makeFieldDatabase(
            sync: """
                function(doc, oldDoc) {
                    if (doc._deleted && !oldDoc) { throw({forbidden: 'nothing to be deleted'}); }
                    if (doc.name == 'Bad') { throw({forbidden: '\(Self.reason)'}); }
                    channel(doc.channels);
                }
                """)
        try gateway.setFieldUser("mara", ["district.hill"])
        let mara = try FieldLaptop()
        #expect(try mara.login(gateway, "mara").status == 0)
        // Made and deleted before the first sync: nobody else ever heard of it.
        #expect(try mara.run("new", "site", "Gone", "district=hill").status == 0)
        #expect(try mara.run("delete", "gone", "--yes").status == 0)
        #expect(try mara.run("sync").status == 0)
        #expect(try mara.run("new", "site", "Bad", "district=hill").status == 0)
        #expect(try mara.run("sync").status == 1)
        let terminal = try mara.terminal(columns: columns)
        try terminal.waitForPrompt("fieldbook")
        try terminal.enter("outbox")
        try terminal.waitFor(Self.reason)
        try terminal.enter("outbox show 1")
        try terminal.waitFor(Self.reason)
        try terminal.waitFor("Send it again as it is: outbox retry 1")
        #expect(try terminal.linesBrokenByTheTerminal.isEmpty)
        try terminal.enter("outbox keep 1")
        try terminal.waitFor("stays here as it is")
        // What somebody knows of is silent.
        #expect(try mara.run("sync").status == 0)
        try terminal.enter("outbox discard 1")
        try terminal.waitFor("y or n")
        try terminal.enter("y")
        try terminal.waitFor("Nothing of it is left.")
        #expect(try mara.ids("sites").isEmpty)
        #expect(try mara.run("sync").out == "Nothing new on either side.\n")
    }

    @Test(.timeLimit(.minutes(3)), arguments: [80, 40]) func theDaysWorkIsStartedAndHandedIn(columns: Int) throws {
        let mara = try FieldLaptop()
        #expect(try mara.run("new", "site", "Old mill", "district=hill").status == 0)
        #expect(
            try mara.run("new", "assignment", "mill", "inspector=mara", "due=-3", "instructions=Look at the cold store")
                .status == 0)
        let terminal = try mara.terminal(columns: columns)
        try terminal.waitFor("Today: 1 overdue.")
        try terminal.waitForPrompt("fieldbook")
        try terminal.enter("today")
        try terminal.waitFor("Begin with one: start NUMBER")
        try terminal.enter("start 1")
        for question in ["Date", "Number", "Score", "Notes", "Finding"] {
            try terminal.waitForPrompt(question)
            try terminal.enter("")
        }
        try terminal.waitFor("Saved draft")
        try terminal.enter("submit 2")
        try terminal.waitFor("Submitted")
        try terminal.enter("today")
        try terminal.waitFor("Nothing is due")
        #expect(try terminal.linesBrokenByTheTerminal.isEmpty)
        let assignment = try #require(try mara.run("list", "assignments", "--json").events.first)
        #expect(assignment["status"] as? String == "done")
        #expect(assignment["inspection"] as? String == (try mara.ids("inspections").first))
    }

    @Test(.timeLimit(.minutes(2)), arguments: [80, 40]) func theHelpIsReadPageByPage(columns: Int) throws {
        // Its folder is there for as long as the laptop is.
        let mara = try FieldLaptop()
        let terminal = try mara.terminal(columns: columns)
        defer { withExtendedLifetime(mara) {} }
        try terminal.waitForPrompt("fieldbook")
        try terminal.enter("help")
        try terminal.waitFor("stop:")
        try terminal.enter("q")
        try terminal.waitForPrompt("fieldbook")
        try terminal.enter("more")
        try terminal.waitFor("stop:")
        #expect(try terminal.linesBrokenByTheTerminal.isEmpty)
    }
}
