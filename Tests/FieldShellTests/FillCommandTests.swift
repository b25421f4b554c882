import DocumentValues
import FieldForms
import FieldModels
import FieldRecords
import Foundation
import Testing

@testable import FieldShell

/// Forms that scripts fill: the three sample forms with all that is calculated, and each kind of problem.
@Suite struct FillCommandTests {
    private static let forms = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("sample-data/forms")

    private static func sample(_ name: String) -> String { forms.appendingPathComponent("\(name).yaml").path }

    private func run(_ shell: Shell, _ tokens: String...) async throws -> FormOutput {
        let parsed = try CommandParser.parse(tokens: tokens, in: .oneShot)
        guard case .form(let output) = try await CommandRunner(shell.session).run(parsed.command) else {
            throw UsageError("'\(tokens)' gives something else.")
        }
        return output
    }

    private func write(_ object: JSONObject, _ shell: Shell) throws -> String {
        let url = shell.root.appendingPathComponent("answers-\(UUID().uuidString).json")
        try Data(object.bytes).write(to: url)
        return url.path
    }

    private func taken(_ name: String, in shell: Shell) async throws {
        let output = try await run(shell, "form", "import", Self.sample(name))
        #expect(output.exitStatus == 0, "\(output.lines)")
    }

    private static let water: JSONObject = [
        "region": "n", "district": "n1", "village": "cove", "households": 210,
        "point": [
            [
                "about": ["source": "well", "position": "52.5 13.4 34 5", "depth": 18], "works": "yes",
                "test": [["ph": 7.1, "clear": 4], ["ph": 7.2]],
            ],
            ["about/source": "spring", "works": "no"],
        ],
    ]

    @Test func theWaterPointSurveyIsCalculated() async throws {
        let shell = try Shell()
        try await taken("water_point", in: shell)
        let file = try write(Self.water, shell)
        let output = try await run(shell, "fill", "water_point", "--from", file, "--finalize", "--json")
        let record = try #require(output.objects.first, "\(output)")
        #expect(output.exitStatus == 0 && record["state"] == "final", "\(record)")
        let answers = record["answers"]
        #expect(answers?["visited"] == "2026-03-04" && answers?["people"] == "1300")
        #expect(answers?["working"] == 1 && answers?["per_point"] == 1300 && answers?["households"] == 210)
        let points = try #require(answers?["point"]?.arrayValue)
        #expect(points.map { $0["number"] } == [1, 2] && points.map { $0["label_text"] } == ["WP-1", "WP-2"])
        #expect(points[0]["mean_ph"] == 7.2 && points[0]["test_count"] == 2 && points[0]["about"]?["depth"] == 18)
        #expect(points[1]["mean_ph"] == nil && points[1]["test"] == nil)
        #expect(points.allSatisfy { $0["@key"]?.stringValue?.utf8.count == 8 })
        let stored = try #require(try shell.field.responses.all().records.first)
        #expect(stored.object["answers"] == answers && stored.state == .final)
    }

    @Test func theKitchenInspectionIsCalculated() async throws {
        let shell = try Shell()
        try shell.signIn("mara")
        try await taken("kitchen_hygiene", in: shell)
        let file = try write(
            [
                "site_name": "North", "areas": ["cold", "wash"],
                "cold": ["cold_temp": 9.5, "cold_action": "Moved to the second store"],
                "rooms": ["hands": "minor", "surfaces": "ok", "pests": "ok", "drains": "major"],
                "finding": [["about": "temperature", "what": "Too warm"]], "read_out": true,
            ], shell)
        let output = try await run(
            shell, "fill", "kitchen_hygiene", "--from", file, "--site", "mill", "--finalize", "--json")
        let record = try #require(output.objects.first, "\(output)")
        let answers = record["answers"]
        #expect(output.exitStatus == 0 && record["instanceName"] == "North 2026-03-04", "\(record)")
        #expect(answers?["faults"] == 7 && answers?["score"] == 30 && answers?["described"] == 1)
        #expect(answers?["inspector"] == "mara" && answers?["visited"] == "2026-03-04")
        #expect(answers?["started"] == "2026-03-04T11:15:07.000+01:00" && answers?["ended"] == answers?["started"])
        #expect(answers?["finding"]?.arrayValue?.map { $0["due"] } == ["2026-03-18"])
        #expect(answers?["read_out"] == "OK" && record["district"] == "hill" && record["site"] == "site-mill")
    }

    @Test func thePlaygroundIsCalculated() async throws {
        let shell = try Shell()
        try await taken("playground", in: shell)
        let file = try write(
            [
                "name": "Park", "grounds": ["sand", "hard"], "impression": 4,
                "piece": [
                    ["kind": "swing", "fall": 160, "faults": ["bolt"], "repair": ["urgency": "now"]], ["kind": "slide"],
                ],
            ], shell)
        let output = try await run(shell, "fill", "playground", "--from", file, "--json")
        let answers = try #require(output.objects.first?["answers"], "\(output)")
        #expect(answers["closed"] == 1 && answers["left"] == "11:15:07.000+01:00")
        #expect(answers["laptop"]?.stringValue?.hasPrefix("fieldbook:") == true)
        let pieces = try #require(answers["piece"]?.arrayValue)
        #expect(pieces.map { $0["highest"] } == ["150", "250"] && pieces.map { $0["mark"] } == ["No. 1", "No. 2"])
        // A closed piece needs a picture.
        let id = try #require(output.objects.first?["_id"]?.stringValue)
        let end = try await run(shell, "fill", id, "--finalize", "--json")
        let problems = try #require(end.objects.first?["problems"]?.arrayValue)
        #expect(end.exitStatus == 1)
        #expect(problems.map { $0["path"] } == ["piece[1]/repair/photo", "piece[2]/fall"])
        #expect(
            problems.map { $0["message"] } == ["A closed piece needs a picture.", "This question must be answered."])
        #expect(try shell.field.responses.find(id)?.state == .draft)
    }

    private static let problems: [(answers: JSONObject, kind: String, path: String)] = [
        (["households": 5000], "constraint", "households"), (["households": "many"], "type", "households"),
        (["region": "west"], "choice", "region"), (["county": "n"], "unknown", "county"),
        (["village": "dell"], "choice", "village"),
    ]

    @Test(arguments: problems.indices) func aProblemIsNamedAndTheRestStays(index: Int) async throws {
        let (wrong, kind, path) = Self.problems[index]
        let shell = try Shell()
        try await taken("water_point", in: shell)
        let file = try write(Self.water.setting(wrong), shell)
        let output = try await run(shell, "fill", "water_point", "--from", file, "--json")
        let problem = try #require(output.objects.first?["problems"]?.arrayValue?.first)
        #expect(output.exitStatus == 1 && problem["kind"] == .string(kind) && problem["path"] == .string(path))
        #expect(problem["message"]?.stringValue?.isEmpty == false)
        let draft = try #require(try shell.field.responses.all().records.first)
        #expect(draft.state == .draft && output.objects.first?["_id"] == .string(draft.id))
        #expect(draft.answers["point"]?.arrayValue?.count == 2)
    }

    @Test func whatRequiresAnAnswerIsNamedAtTheEnd() async throws {
        let shell = try Shell()
        try await taken("water_point", in: shell)
        let file = try write(["region": "n"], shell)
        #expect(try await run(shell, "fill", "water_point", "--from", file).exitStatus == 0)
        let end = try await run(shell, "fill", "water_point", "--from", file, "--finalize", "--json")
        let problems = try #require(end.objects.first?["problems"]?.arrayValue)
        #expect(problems.allSatisfy { $0["kind"] == "required" })
        #expect(problems.contains { $0["path"] == "point[1]/about/source" })
    }

    /// A refused answer hides none of the questions that still need one, and is the only problem of its own question.
    @Test func whatIsMissingIsNamedBesideARefusedAnswer() async throws {
        let shell = try Shell()
        let form = shell.root.appendingPathComponent("all.yaml")
        let yaml = """
            form: all
            version: 1
            questions:
              - text a: A
                required: yes
              - integer b: B
                required: yes
                constraint: . < 10
              - integer c: C
                required: yes

            """
        try Data(yaml.utf8).write(to: form)
        _ = try await run(shell, "form", "import", form.path)
        let file = try write(["b": 50, "nosuch": 1, "c": "many"], shell)
        for line in [["fill", "all"], ["form", "try", form.path]] {
            let parsed = try CommandParser.parse(
                tokens: line + ["--from", file, "--finalize", "--json"], in: .oneShot)
            guard case .form(let output) = try await CommandRunner(shell.session).run(parsed.command) else {
                throw UsageError("'\(line)' gives something else.")
            }
            let problems = try #require(output.objects.first?["problems"]?.arrayValue)
            let named = problems.map { "\($0["path"]?.stringValue ?? "") \($0["kind"]?.stringValue ?? "")" }
            #expect(named.sorted() == ["a required", "b constraint", "c type", "nosuch unknown"])
            #expect(output.exitStatus == 1)
        }
        #expect(try shell.field.responses.all().records.isEmpty)
    }

    @Test func nothingIsSavedOfAFormOfWhichNothingWasAccepted() async throws {
        let shell = try Shell()
        try await taken("water_point", in: shell)
        let file = try write(["county": "n"], shell)
        let output = try await run(shell, "fill", "water_point", "--from", file, "--json")
        #expect(output.exitStatus == 1 && output.objects.first?["_id"] == nil)
        #expect(shell.field.responses.count == 0)
    }

    @Test func answersComeOneByOneToo() async throws {
        let shell = try Shell()
        try await taken("water_point", in: shell)
        let output = try await run(
            shell, "fill", "water_point", "--set", "region=n", "--set", "district=n1", "--set", "village=cove", "--add",
            "point", "--set", "label_text=East", "--set", "point[1]/label_text=West", "--json")
        let answers = try #require(output.objects.first?["answers"], "\(output)")
        #expect(answers["people"] == "1300")
        #expect(answers["point"]?.arrayValue?.map { $0["label_text"] } == ["West", "East"])
    }

    /// A shell hands over a pipe for `<(…)`.
    @Test func answersComeFromAPipe() async throws {
        let shell = try Shell()
        try await taken("water_point", in: shell)
        let pipe = Pipe()
        pipe.fileHandleForWriting.write(Data(#"{"region":"n"}"#.utf8))
        try pipe.fileHandleForWriting.close()
        let file = "/dev/fd/\(pipe.fileHandleForReading.fileDescriptor)"
        let output = try await run(shell, "fill", "water_point", "--from", file, "--json")
        #expect(output.exitStatus == 0 && output.objects.first?["answers"]?["region"] == "n", "\(output)")
        try pipe.fileHandleForReading.close()
    }

    @Test func aFolderOrAMissingFileIsNamed() async throws {
        let shell = try Shell()
        try await taken("water_point", in: shell)
        let (folder, missing) = (shell.root.path, shell.root.appendingPathComponent("nosuch.json").path)
        for (path, text) in [
            (missing, "There is no file \(missing)."),
            (folder, "\(folder) is a folder. Name a file with the answers, or - for the standard input."),
        ] {
            let error = await #expect(throws: AnswersFileError.self) {
                try await run(shell, "fill", "water_point", "--from", path)
            }
            #expect(error?.description == text && error.map { ErrorText.exitStatus($0) } == 1)
        }
    }

    /// A file is at fault, and not the line: status 1, as of a query that cannot be read.
    @Test(arguments: ["{", "[1]", "no JSON", #"{"a": "\uD800 }"#]) func whatIsNoObjectIsNamed(text: String) async throws
    {
        let shell = try Shell()
        try await taken("water_point", in: shell)
        let path = shell.root.appendingPathComponent("bad.json").path
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        let error = await #expect(throws: AnswersFileError.self) {
            try await run(shell, "fill", "water_point", "--from", path)
        }
        #expect(error?.description.hasPrefix("\(path) is no JSON object: ") == true)
        #expect(error.map { ErrorText.exitStatus($0) } == 1)
    }

    @Test func anExpressionThatCannotBeReadIsStatusOne() async throws {
        let shell = try Shell()
        let error = await #expect(throws: FormFillingError.self) {
            try await run(shell, "form", "evaluate", Self.sample("water_point"), "--expression", "1 +")
        }
        #expect(error?.description.hasPrefix("The expression cannot be read: a value is missing at the end") == true)
        #expect(error.map { ErrorText.exitStatus($0) } == 1)
    }

    @Test func argumentsAreUTF8() throws {
        #expect(try ArgumentTexts.read([Array("fill".utf8), Array("é".utf8), []]) == ["fill", "é", ""])
        let error = #expect(throws: UsageError.self) {
            try ArgumentTexts.read([Array("form".utf8), [0x27, 0xE9, 0x27]])
        }
        #expect(error?.message.hasPrefix("Argument 2 is no text in UTF-8") == true)
    }

    @Test func aTrialSavesNothing() async throws {
        let shell = try Shell()
        let file = try write(Self.water, shell)
        let output = try await run(
            shell, "form", "try", Self.sample("water_point"), "--from", file, "--finalize", "--json")
        #expect(output.exitStatus == 0 && output.objects.first?["answers"]?["per_point"] == 1300, "\(output)")
        #expect(shell.field.responses.count == 0)
    }

    private static let expressions: [(text: String, at: String?, result: JSONObject)] = [
        ("${working} + 2", nil, ["type": "number", "value": 3, "string": "3"]),
        ("${village} = 'cove'", nil, ["type": "boolean", "value": true, "string": "true"]),
        ("${label_text}", "point[2]/works", ["type": "string", "value": "WP-2", "string": "WP-2"]),
        ("position(..)", "/data/point[2]/number", ["type": "number", "value": 2, "string": "2"]),
        ("today()", nil, ["type": "date", "value": "2025-12-24", "string": "2025-12-24"]),
        ("number('x')", nil, ["type": "number", "value": .null, "string": "NaN"]),
    ]

    @Test(arguments: expressions.indices) func anExpressionHasAValue(index: Int) async throws {
        let (text, path, result) = Self.expressions[index]
        let shell = try Shell()
        let file = try write(Self.water, shell)
        let parsed = try CommandParser.parse(
            tokens: [
                "form", "evaluate", Self.sample("water_point"), "--answers", file, "--expression", text, "--now",
                "2025-12-24T12:00:00+01:00",
            ] + (path.map { ["--at", $0] } ?? []), in: .oneShot)
        guard case .form(let output) = try await CommandRunner(shell.session).run(parsed.command) else {
            throw UsageError("'form evaluate' gives something else.")
        }
        #expect(output.objects == [result])
    }

    @Test func aWrongExpressionIsRefused() async throws {
        let shell = try Shell()
        await #expect(throws: FormFillingError.self) {
            try await run(shell, "form", "evaluate", Self.sample("water_point"), "--expression", "${nosuch} +")
        }
    }

    @Test func aFilledFormIsListedAndShown() async throws {
        let shell = try Shell()
        try await taken("water_point", in: shell)
        _ = try await run(shell, "fill", "water_point", "--from", write(Self.water, shell))
        let list = try await shell.type("list responses", "show 1", "list responses --status final")
        #expect(list.contains("water_point") && list.contains("draft"), "\(list)")
        #expect(list.contains("Depth (m): 18") && list.contains("people = 1300"), "\(list)")
    }
}
