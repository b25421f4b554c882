import Foundation
import Testing

/// Queries and indexes from the command line.
@Suite(.serialized) struct QueryCommandTests {
    private func laptop() throws -> Laptop {
        let laptop = try Laptop()
        try laptop.put([
            ("a", #"{"name":"Årsta, north","severity":4,"tags":["wet"]}"#),
            ("b", #"{"name":"Pump house","severity":1}"#),
        ])
        return laptop
    }

    private func run(_ arguments: [String], on laptop: Laptop, input: String? = nil) throws -> Program.Output {
        let command = ["db", arguments[0], laptop.folder.path] + arguments.dropFirst()
        return try input.map { try Program.fieldbook.run(command, input: $0) } ?? Program.fieldbook.run(command)
    }

    private static let text = "SELECT META().id, name, severity, nope FROM field.inspections ORDER BY META().id"

    @Test(.timeLimit(.minutes(2))) func forms() throws {
        let laptop = try laptop()
        let json = try run(["query", Self.text, "--json"], on: laptop)
        #expect(
            json.out == """
                {"id":"a","name":"Årsta, north","severity":4}
                {"id":"b","name":"Pump house","severity":1}

                """, "\(json.err)")
        #expect(
            try run(["query", Self.text, "--csv"], on: laptop).out == """
                id,name,severity,nope
                a,"Årsta, north",4,
                b,Pump house,1,

                """)
        #expect(
            try run(["query", Self.text], on: laptop).out == """
                id  name          severity  nope
                a   Årsta, north  4         \("")
                b   Pump house    1         \("")

                """)
        let filtered = try run(
            ["query", "SELECT name FROM field.inspections WHERE severity > $least", "--param", "least=2", "--json"],
            on: laptop)
        #expect(filtered.out == #"{"name":"Årsta, north"}"# + "\n")
        let noJSON = try run(["query", Self.text, "--param", "c=Hull's"], on: laptop)
        #expect(noJSON.status == 2 && noJSON.err.contains(#"must be JSON"#), "\(noJSON.err)")
        #expect(noJSON.err.contains(#"--param 'c="Hull'\''s"'"#), "\(noJSON.err)")
        let noValue = try run(["query", Self.text, "--param", "Hull"], on: laptop)
        #expect(noValue.status == 2 && noValue.err.contains("equals sign"), "\(noValue.err)")
        let columns = "'=1' || '+1' AS f, '-' || '5' AS n, 'a ' || '\"b\"' AS q"
        let formula = ["query", "SELECT \(columns) FROM field.inspections LIMIT 1", "--csv"]
        let rest = "=1+1,-5,\"a \"\"b\"\"\"\n"
        #expect(try run(formula, on: laptop).out == "f,n,q\n" + rest)
        #expect(try run(formula + ["--spreadsheet"], on: laptop).out == "f,n,q\n'" + rest)
        #expect(try run(["query", Self.text, "--spreadsheet"], on: laptop).status == 2)
        #expect(try run(["query", Self.text, "--time-limit", "30"], on: laptop).status == 0)
        #expect(try run(["query", Self.text, "--time-limit", "0"], on: laptop).status == 2)
        let wrong = try run(["query", "SELECT name FRM x"], on: laptop)
        #expect(wrong.status == 1 && wrong.out.isEmpty)
        #expect(
            wrong.err == """
                Error: N1QL syntax error near character 17 (position 16) Column 17: found 'x', expected ',' or FROM. \
                Did you mean FROM instead of 'FRM'?
                  SELECT name FRM x
                                  ^

                """, "\(wrong.err)")
        // Wide characters take two cells, and a control character is shown as a mark.
        let wide = try run(["query", "SELECT\n'\u{4E16}\u{754C}\u{1B}' 7"], on: laptop).err
        #expect(wide.hasSuffix("\n  '\u{4E16}\u{754C}?' 7\n          ^\n"), "\(wide)")
        #expect(wide.contains("Line 2, column 7: found '7', expected"), "\(wide)")
        #expect(
            try run(["query", "SELECT name FROM field.inspection"], on: laptop).err.contains("'field.inspections'?"))
    }

    @Test(.timeLimit(.minutes(2))) func lines() throws {
        let laptop = try laptop()
        let answers = try run(
            ["query", "--lines"], on: laptop,
            input: """
                {"id":"q1","text":"SELECT severity, nope FROM field.inspections ORDER BY severity"}
                {"id":"q2","text":"SELECT x FRM y"}
                {"id":"q3","text":"SELECT META().id FROM field.inspections WHERE severity = $s","parameters":{"s":4},"explain":true}
                {"id":"q4","language":"json","text":["SELECT",{"WHAT":[[".name"]],"FROM":[{"COLLECTION":"field.inspections"}],"LIMIT":1,"ORDER_BY":[[".name"]]}]}
                nonsense

                """
        ).out.split(separator: "\n").map(String.init)
        try #require(answers.count == 5)
        #expect(
            answers[0]
                == #"{"id":"q1","columns":["severity","nope"],"rows":[[1,null],[4,null]],"missing":[[0,1],[1,1]]}"#)
        #expect(answers[1].hasPrefix(#"{"id":"q2","error":{"domain":"CouchbaseLite","code":23,"#))
        // FRM is an alias of x here; the error is behind it.
        #expect(answers[1].contains(#""position":13"#), "\(answers[1])")
        #expect(answers[2] == #"{"id":"q3","usesIndex":[],"columns":["id"],"rows":[["a"]]}"#)
        #expect(answers[3] == #"{"id":"q4","columns":["name"],"rows":[["Pump house"]]}"#)
        #expect(answers[4].contains("error"))
    }

    @Test(.timeLimit(.minutes(2))) func indexes() throws {
        let laptop = try laptop()
        func index(_ arguments: String...) throws -> Program.Output {
            try Program.fieldbook.run(
                ["db", "index", arguments[0], laptop.folder.path, "field.inspections"] + arguments.dropFirst())
        }
        #expect(try index("create", "severe", "--value", "severity", "--where", "severity > 2").status == 0)
        #expect(try index("create", "words", "--fts", "name", "--language", "en", "--ignore-accents").status == 0)
        #expect(try index("create", "tags", "--array", "tags").status == 0)
        #expect(try index("list").out == "severe\ntags\nwords\n")
        #expect(try index("list", "--json").out.contains(#"{"name":"tags","type":"array","path":"tags"}"#))
        let plan = try run(
            ["query", "SELECT name FROM field.inspections WHERE severity > 2", "--explain"], on: laptop)
        #expect(plan.out.contains("INDEX severe"), "\(plan.out)")
        let found = try run(
            ["query", "SELECT META().id FROM field.inspections WHERE MATCH(words, 'arsta')", "--json"], on: laptop)
        #expect(found.out == #"{"id":"a"}"# + "\n", "\(found.err)")
        #expect(try index("rm", "words").status == 0)
        #expect(try index("list").out == "severe\ntags\n")
        #expect(try index("create", "x", "--fts", "a", "--value", "b").status == 2)
        #expect(try index("create", "x", "--value", "a +").status == 1)
    }
    @Test(.timeLimit(.minutes(2))) func rowsComePageByPageInATerminal() throws {
        let laptop = try Laptop()
        try laptop.put((100..<160).map { ("d\($0)", #"{"n":\#($0)}"#) })
        let command = ["db", "query", laptop.folder.path, "SELECT n FROM field.inspections ORDER BY n"]
        let terminal = try TmuxTerminal(command: command, rows: 24)
        try terminal.waitFor("121 Enter: more, q Enter: stop:")
        // The heading and 22 rows, then 23 of them, then the rest.
        try terminal.enter("")
        try terminal.waitFor("144 Enter: more, q Enter: stop:")
        try terminal.enter("")
        try terminal.waitFor("159")
        #expect(try terminal.exitStatus() == 0)
        let stopped = try TmuxTerminal(command: command, rows: 24)
        try stopped.waitFor("121 Enter: more, q Enter: stop:")
        try stopped.enter("q")
        #expect(try stopped.exitStatus() == 0)
        #expect(try !stopped.transcript.joined().contains("122"))
    }

    @Test(.timeLimit(.minutes(2))) func aLongValueMakesNoOtherRowLonger() throws {
        let laptop = try Laptop()
        let long = String(repeating: "x", count: 10_000)
        try laptop.put([("a", #"{"s":"\#(long)","n":1}"#), ("b", #"{"s":"y","n":2}"#)])
        let lines = try run(["query", "SELECT s, n FROM field.inspections ORDER BY n"], on: laptop).out
            .split(separator: "\n")
        #expect(lines.map(\.count) == [63, 10_003, 63] && lines[1].hasSuffix("x  1"))
    }
}
