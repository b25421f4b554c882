import DocumentValues
import FieldModels
import FieldRecords
import FormExchange
import FormLogic
import Testing

@testable import FieldForms

/// Answers of scripts, without a folder.
@Suite struct FormFillerTests {
    private struct NoFiles: Error, CustomStringConvertible {
        var description: String { "there is no such file" }
    }

    private static let yaml = """
        form: visit
        version: 1
        title: Visit
        lists:
          region: {n: North, s: South}
          town:
            - {name: alba, label: Alba, region: n}
            - {name: dell, label: Dell, region: s}
        questions:
          - text who: Who
            required: yes
            required_message: Say who
          - integer age: Age
            constraint: . < 150
            constraint_message: Nobody is that old
          - select_one region region: Region
          - select_one town town: Town
            choice_filter: region = ${region}
          - calculate doubled:
            calculation: ${age} * 2
          - integer rooms: Rooms
          - group house: House
            questions:
              - select_multiple region seen: Seen
              - geopoint position: Position
          - repeat room: Room
            repeat_count: ${rooms}
            questions:
              - text name: Name
          - repeat pet: Pet
            questions:
              - text called: Called

        """

    private func filler(_ yaml: String = Self.yaml) throws -> FormFiller {
        let form = FormYAML.read(yaml).form
        let loaded = LoadedForm(form: form, digest: form.digest, state: .open, current: "1", files: [:], missing: [])
        let setting = FormSetting(
            now: { 1_772_619_307_000 }, zone: FixedFormZone(seconds: 3600),
            author: Author(name: "mara", moment: Timestamp(secondsSince1970: 1_772_619_307)), seed: 1)
        let evaluator = try setting.evaluator(for: loaded)
        let state = FormState.new(evaluator: evaluator, graph: FormGraph(evaluator.program)).state
        return FormFiller(
            state, language: FormTextLanguage(chosen: nil, fallback: nil), now: 1_772_619_307_000
        ) { _, _ in throw NoFiles() }
    }

    private func answers(_ filler: FormFiller) -> JSONObject {
        MetaAnswers.without(filler.state.record.answers()).filter { $0 != "pet" && $0 != "room" }
    }

    @Test func namesPathsAndObjectsMeanTheSame() throws {
        let spellings: [JSONObject] = [
            ["house": ["seen": ["n", "s"], "position": "52.5 13.4"]],
            ["house/seen": "n s", "house/position": ["latitude": 52.5, "longitude": 13.4]],
            ["seen": ["n", "s"], "position": ["latitude": 52.5, "longitude": 13.4, "accuracy": 0]],
        ]
        for spelling in spellings {
            var filler = try filler()
            filler.fill(spelling)
            let house = answers(filler)["house"]
            #expect(filler.problems.isEmpty, "\(filler.problems)")
            #expect(house?["seen"] == ["n", "s"] && house?["position"]?["latitude"] == 52.5)
        }
    }

    /// An answer may stand before the one on which its choices depend.
    @Test func theOrderOfTheMembersDoesNotMatter() throws {
        var filler = try filler()
        filler.fill(["town": "dell", "age": "42", "region": "s", "who": 7])
        #expect(filler.problems.isEmpty, "\(filler.problems)")
        #expect(answers(filler) == ["who": "7", "age": 42, "region": "s", "town": "dell", "doubled": 84])
    }

    private static let problems: [(answers: JSONObject, problem: FillProblem)] = [
        (["age": 200], FillProblem(.constraint, path: "age", message: "Nobody is that old")),
        (["age": 3.5], FillProblem(.type, path: "age", message: "must be a whole number, not 3.5")),
        (
            ["region": "west"],
            FillProblem(.choice, path: "region", message: "'west' is none of its choices: n, s")
        ),
        (
            ["region": "n", "town": "dell"],
            FillProblem(.choice, path: "town", message: "'dell' is none of its choices: alba")
        ),
        (
            ["whoo": "Ann"],
            FillProblem(.unknown, path: "whoo", message: "the form has no such question. Did you mean 'who'?")
        ),
        (
            ["age": 2, "doubled": 5],
            FillProblem(.type, path: "doubled", message: "is calculated, and is '4'; leave it out")
        ),
        (
            ["rooms": 1, "room": [["name": "a"], ["name": "b"]]],
            FillProblem(
                .unknown, path: "room[2]", message: "there is no such instance by the count of its repeat")
        ),
        (["house": "x"], FillProblem(.type, path: "house", message: "must be an object with the answers of the group")),
        (["pet": "x"], FillProblem(.type, path: "pet", message: "must be a list of instances")),
        (
            ["pet": [["called": "a"], .null]],
            FillProblem(.type, path: "pet[2]", message: "must be an object with the answers of the instance")
        ),
        (
            ["called": "a"],
            FillProblem(.unknown, path: "called", message: "is in the repeat 'pet', whose instances are a list")
        ),
        (
            ["instanceID": "x"],
            FillProblem(.unknown, path: "instanceID", message: "belongs to the record itself, and takes no answer")
        ),
        (
            ["meta": ["instanceName": "x"]],
            FillProblem(.unknown, path: "meta", message: "belongs to the record itself, and takes no answer")
        ),
        (
            ["meta/instanceID": "x"],
            FillProblem(.unknown, path: "meta/instanceID", message: "belongs to the record itself, and takes no answer")
        ),
        (["who": "a\u{0}b"], FillProblem(.type, path: "who", message: "must not have the character NUL")),
    ]

    @Test(arguments: problems.indices) func eachFaultIsNamed(index: Int) throws {
        let (answers, problem) = Self.problems[index]
        var filler = try filler()
        filler.fill(answers)
        #expect(filler.problems == [problem])
        if problem.kind == .constraint { #expect(self.answers(filler)["age"] == nil) }
    }

    /// Of two values of one question none is taken, whatever the spellings of its path.
    @Test(
        arguments: [
            ["house": ["seen": "n", "position": "1 2"], "house/seen": "s"],
            ["seen": "n", "house": ["seen": "n", "position": "1 2"]],
            ["seen": "n", "house/seen": "n", "house": ["position": "1 2", "seen": .null]],
        ] as [JSONObject])
    func aQuestionThatIsGivenTwiceIsNamed(answers: JSONObject) throws {
        var filler = try filler()
        filler.fill(answers)
        #expect(filler.problems == [FillProblem.repeated("house/seen")])
        let house = self.answers(filler)["house"]
        #expect(house?["seen"] == nil && house?["position"]?["latitude"] == 1)
    }

    /// Readers of JSON differ in which of two members they take.
    @Test func aMemberThatIsThereTwiceIsNamed() throws {
        let text = #"{"who": "a", "pet": [{}, {"called": "x", "\u0063alled": "y"}], "who": "b", "who": "c"}"#
        let twice = try ScriptAnswers(Array(text.utf8))
        #expect(twice.repeated == ["who", "pet[2]/called"])
        var filler = try filler()
        filler.fill(twice)
        #expect(filler.problems == [FillProblem.repeated("who"), FillProblem.repeated("pet[2]/called")])
        #expect(filler.accepted == 0 && self.answers(filler).isEmpty)
    }

    @Test func aByteOrderMarkIsNoPartOfAnAnswer() throws {
        let marked = try ScriptAnswers([0xEF, 0xBB, 0xBF] + Array(#" {"who": "a"}"#.utf8))
        #expect(marked.object == ["who": "a"] && marked.repeated.isEmpty)
        for text in ["", "[]", "{", "\u{FEFF}\u{FEFF}{}"] {
            #expect(throws: JSONError.self) { try ScriptAnswers(Array(text.utf8)) }
        }
    }

    /// An answer that was given before, and that a new one takes away, is named, too.
    @Test func clearedChoicesAreNamed() throws {
        var filler = try filler()
        filler.fill(["region": "n", "town": "alba"])
        #expect(filler.notices.isEmpty && filler.problems.isEmpty)
        filler.fill(["region": "s"])
        #expect(filler.notices == ["town: 'alba' cleared, it is not offered any more"] && filler.problems.isEmpty)
        filler.fill(["region": "n", "town": "dell"])
        #expect(filler.notices.count == 1 && filler.problems.map(\.kind) == [.choice])
    }

    @Test func aCalculatedValueMayBeHandedBack() throws {
        var filler = try filler()
        filler.fill(["age": 2, "doubled": 4])
        #expect(filler.problems.isEmpty)
    }

    @Test func aListSaysHowManyInstancesThereAre() throws {
        for count in [0, 1, 3] {
            var filler = try filler()
            let pets = (0..<count).map { JSONValue.object(["called": .string("p\($0)")]) }
            filler.fill(["pet": .array(pets)])
            #expect(filler.state.record.answers()["pet"]?.arrayValue?.count ?? 0 == count)
            #expect(filler.problems.isEmpty)
        }
    }

    // MARK: As records store it

    private static let kinds = """
        form: kinds
        version: 1
        lists:
          grade: {a: A, b: B, c: C}
        questions:
          - time clock: Clock
          - dateTime moment: Moment
          - geoshape field: Field
          - rank grade best: Best
          - text fixed: Fixed
            read_only: yes
            default: kept

        """

    private static let spellings: [(name: String, given: JSONValue, stored: JSONValue)] = [
        ("clock", "13:45", "13:45:00.000+01:00"), ("clock", "9:05:30.5Z", "09:05:30.500+00:00"),
        ("clock", "13:45:00.000+03:00", "13:45:00.000+03:00"),
        ("moment", "2026-03-04 13:45", "2026-03-04T13:45:00.000+01:00"),
        ("moment", "2026-03-04T13:45:00Z", "2026-03-04T14:45:00.000+01:00"),
        ("moment", "2026-03-04T13:45:00.000+03:00", "2026-03-04T13:45:00.000+03:00"),
        ("best", "c a b", ["c", "a", "b"]), ("fixed", "kept", "kept"),
    ]

    @Test(arguments: spellings.indices) func anAnswerIsStoredAsRecordsHaveIt(index: Int) throws {
        let (name, given, stored) = Self.spellings[index]
        var kinds = try filler(Self.kinds)
        kinds.fill([name: given])
        #expect(kinds.problems.isEmpty, "\(kinds.problems)")
        #expect(kinds.state.record.answers()[name] == stored)
    }

    @Test func aShapeClosesItself() throws {
        let corners: [JSONValue] = ["0 0", "0 1", "1 1", "5 5"]
        for given in [.array(corners), .array(corners + ["0 0"]), "0 0;0 1;1 1;5 5"] as [JSONValue] {
            var kinds = try filler(Self.kinds)
            kinds.fill(["field": given])
            let points = try #require(kinds.state.record.answers()["field"]?.arrayValue)
            #expect(kinds.problems.isEmpty && points.count == 5 && points.first == points.last)
        }
    }

    private static let refused: [(name: String, given: JSONValue, kind: FillProblem.Kind, message: String)] = [
        ("best", ["b"], .choice, "must have all choices, best first; 'a' is missing"),
        ("field", "0 0;0 1;0 0", .type, "must be at least 3 corners, not '0 0;0 1;0 0'"),
        ("clock", "25:00", .type, "must be a time such as 13:45, not '25:00'"),
        ("fixed", "changed", .type, "is read-only; leave it out"),
        ("fixed", .null, .type, "is read-only; leave it out"),
    ]

    @Test(arguments: refused.indices) func whatRecordsCannotHaveIsRefused(index: Int) throws {
        let (name, given, kind, message) = Self.refused[index]
        var kinds = try filler(Self.kinds)
        kinds.fill([name: given])
        #expect(kinds.problems == [FillProblem(kind, path: name, message: message)])
        #expect(kinds.accepted == 0)
        let left: JSONValue? = name == "fixed" ? "kept" : nil
        #expect(kinds.state.record.answers()[name] == left)
    }

    // MARK: Long lists

    /// The work of a list grows with its length.
    @Test func aLongListIsNoMoreWorkForEachInstance() throws {
        let yaml = """
            form: list
            version: 1
            questions:
              - repeat row: Row
                questions:
                  - text key: Key
                  - calculate own:
                    calculation: concat(${key}, 'x')
                  - calculate number:
                    calculation: position(..)

            """
        let work = try [20, 40, 80].map { count in
            var list = try filler(yaml)
            list.fill(["row": .array((0..<count).map { ["key": .string("k\($0)")] })])
            #expect(list.problems.isEmpty && list.accepted == count)
            return list.evaluations
        }
        #expect(work[2] - work[1] < 3 * (work[1] - work[0]), "\(work)")
        // Nor are rules that read all of it, unless what may be answered depends on them.
        let sums = """
            form: list
            version: 1
            questions:
              - repeat row: Row
                questions:
                  - integer number: Number
                  - calculate half:
                    calculation: ${number} div 2
              - calculate total:
                calculation: sum(${half})
              - note much: Much
                relevant: ${total} > 10

            """
        let counted = try [20, 40, 80].map { count in
            var list = try filler(sums)
            list.fill(["row": .array((0..<count).map { ["number": .int($0)] })])
            #expect(list.problems.isEmpty && list.accepted == count)
            #expect(list.state.record.answers()["total"] == .int(count * (count - 1) / 4))
            return list.evaluations
        }
        #expect(counted[2] < 80 * 3, "\(counted)")
        // All go, but the first.
        var list = try filler(yaml)
        list.fill(["row": .array((0..<40).map { ["key": .string("k\($0)")] })])
        let before = list.evaluations
        list.fill(["row": [["key": "k0"]]])
        #expect(list.evaluations - before < 10)
    }

    @Test func requiredQuestionsAreNamedAtTheEnd() throws {
        var filler = try filler()
        filler.fill(["age": 2])
        var state = filler.state
        let messages = FillMessages(state: state, language: filler.language)
        let problems = state.failures().map { messages.problem($0) }
        #expect(problems == [FillProblem(.required, path: "who", message: "Say who")])
    }
}
