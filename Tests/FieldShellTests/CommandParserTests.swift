import FieldModels
import FieldRecords
import Testing

@testable import FieldShell

@Suite struct CommandParserTests {
    @Test(arguments: [
        ("--folder X today", "today --folder X"), ("--folder=X --json list sites", "list --folder=X --json sites"),
        ("--json", "shell --json"), ("", "shell"), ("--folder X", "shell --folder X"), ("today", "today"),
        ("--fold X --yes delete a", "delete --fold X --yes a"), ("--help", "shell --help"),
    ])
    func optionsMayComeFirst(line: String, order: String) {
        #expect(
            CommandParser.withCommandFirst(line.split(separator: " ").map(String.init)).joined(separator: " ") == order)
    }

    private static func list(_ kind: RecordKind, _ change: (inout ListRequest) -> Void = { _ in }) -> ShellCommand {
        var request = ListRequest(kind)
        change(&request)
        return .list(request)
    }

    private static func new(_ kind: RecordKind, _ change: (inout NewRequest) -> Void = { _ in }) -> ShellCommand {
        var request = NewRequest(kind)
        change(&request)
        return .new(request)
    }

    private static func edit(_ record: String, _ values: FieldValue...) -> ShellCommand {
        .edit(record: record, values: values)
    }

    private static let lines: [(String, ShellCommand)] = [
        ("sites", list(.site)),
        ("sites quay street", list(.site) { $0.terms = ["quay", "street"] }),
        ("  sites   'old mill'  ", list(.site) { $0.terms = ["old mill"] }),
        ("si mill", list(.site) { $0.terms = ["mill"] }),
        ("list", list(.inspection)),
        ("ls find --site mill", list(.finding) { $0.site = "mill" }),
        ("list insp --st dr", list(.inspection) { $0.status = "draft" }),
        ("list a --status=open --mine", list(.assignment) { ($0.status, $0.mineOnly) = ("open", true) }),
        ("list sites --district harbour --all", list(.site) { $0.district = "harbour" }),
        ("show 3", .show(record: "3")),
        ("passphrase --forgotten --key-file", .passphraseForgotten(.keyFile)),
        ("n inspection", new(.inspection)),
        ("new", new(.inspection)),
        (
            #"new insp mill form=kitchen score=92 notes="two doors" --finding "No thermometer" --finding Dust"#,
            new(.inspection) {
                $0.owner = "mill"
                $0.values = [
                    FieldValue("form", text: "kitchen"), FieldValue("score", text: "92"),
                    FieldValue("notes", text: "two doors"),
                ]
                $0.findings = ["No thermometer", "Dust"]
            }
        ),
        (
            "new finding 1 text=Dust risk=",
            new(.finding) {
                $0.owner = "1"
                $0.values = [FieldValue("text", text: "Dust"), FieldValue("risk", text: "")]
            }
        ),
        ("edit 2", .edit(record: "2", values: [])),
        (
            "edit 2 score=88 a.b=x=y",
            .edit(record: "2", values: [FieldValue("score", text: "88"), FieldValue("a.b", text: "x=y")])
        ),
        (#"attach 1 "my photo.jpg""#, .attach(record: "1", file: "my photo.jpg", caption: nil)),
        ("at 1 f.jpg --caption Door", .attach(record: "1", file: "f.jpg", caption: "Door")),
        ("submit 1", .submit(record: "1")),
        ("return 1", .sendBack(record: "1", reason: nil)),
        ("return 1 not all answered", .sendBack(record: "1", reason: "not all answered")),
        (#"return 1 the sign says "closed" there"#, .sendBack(record: "1", reason: #"the sign says "closed" there"#)),
        (#"return 1 see C:\photos, it's 5""#, .sendBack(record: "1", reason: #"see C:\photos, it's 5""#)),
        (#"return 1 "all of it""#, .sendBack(record: "1", reason: "all of it")),
        ("rm 1", .delete(record: "1")),
        ("rm findings", .delete(record: "findings")),
        ("delete findings of 1 by eve", .deleteFindings(inspection: "1", user: "eve")),
        ("sync", .sync(SyncOptions(isContinuous: false, resets: false))),
        ("sync --cont --reset", .sync(SyncOptions(isContinuous: true, resets: true))),
        ("conflicts take all keep", .conflicts(.keepAll)),
        ("quarantine", .quarantine(.list)),
        ("quar res 4", .quarantine(.restore("4"))),
        (
            "import a.csv b.csv --report odd.csv",
            .importFiles(ImportRequest(paths: ["a.csv", "b.csv"], report: "odd.csv"))
        ),
        ("export out", .export(folder: "out", format: .both)),
        ("export out --format j", .export(folder: "out", format: .jsonl)),
        ("help", .help(nil)),
        ("? edit", .help(.edit)),
        ("edit --help", .help(.edit)),
        ("exit", .quit),
        ("sites l'Église", list(.site) { $0.terms = ["l'Église"] }),
        (
            "edit 2 notes='side door' owner=d'Arc",
            edit("2", FieldValue("notes", text: "side door"), FieldValue("owner", text: "d'Arc"))
        ),
        ("show -- --odd", .show(record: "--odd")),
    ]

    @Test(arguments: lines) func understands(line: String, command: ShellCommand) throws {
        #expect(try CommandParser.parse(line: line)?.command == command)
    }

    @Test(arguments: [
        ("lst", "There is no command 'lst'. Did you mean list?"),
        ("suomit 1", "There is no command 'suomit'. Did you mean submit?"),
        ("frobnicate", "There is no command 'frobnicate'. All commands: help"),
        ("s", "'s' can be start, sites, show, submit, sync, service, status. Type more of it."),
        ("n", "Nothing is asked here, so 'n' is no answer. All commands: help"),
        ("Yes", "Nothing is asked here, so 'Yes' is no answer. All commands: help"),
        ("q", "Nothing more is shown here that 'q' could end. Leave the shell: quit"),
        ("show", "'show' needs more arguments. Use: show RECORD"),
        ("list findings dirt", "'list' takes one kind, and terms such as status=draft. To search: find TEXT"),
        ("submit 1 2", "'submit' takes fewer arguments. Use: submit RECORD"),
        (
            "attach 5 Küche 1.png",
            "'attach' takes fewer arguments. Use: attach RECORD FILE. Put a name with spaces in quotation marks."
        ),
        (
            "photo save 5 1 Küche 1.png",
            "'photo save' takes fewer arguments. Put a name with spaces in quotation marks."
        ),
        ("list --colour red", "There is no option '--colour'."),
        ("list --site", "The option --site needs a value: --site SITE."),
        ("list --mine=no", "The option --mine takes no value."),
        ("list --site a --site b", "The option --site is there twice."),
        ("list --status gone", "There is no status 'gone'. draft, submitted, returned, approved"),
        ("list sites --status draft", "A site has no status."),
        (
            "list birds",
            "There is no kind of record 'birds'. sites, inspections, findings, forms, assignments, responses"
        ),
        (
            "conflicts take 1 Keep mine",
            "One decision at a time. First: conflicts take 1 keep. Then: conflicts take 1 mine"
        ),
        ("conflicts take 1 mine theirs", "'theirs' is no FIELD=VALUE. Use: conflicts take 1 mine score=80"),
        (
            "conflicts take all mine",
            "All records at once can only be kept. Use: conflicts take all keep"
        ),
        ("edit 1 score", "'score' is no FIELD=VALUE. Put text with spaces in quotation marks: notes=\"two doors\""),
        (
            "new inspection old mill score=1",
            "'mill' is no FIELD=VALUE. Put text with spaces in quotation marks: new inspection \"old mill\""
        ),
        (
            "new finding 1 dirty floor",
            "'dirty' is no FIELD=VALUE. Put text with spaces in quotation marks: new finding 1 text=\"dirty floor\""
        ),
        (
            "new inspection mill score=1 bad",
            "'bad' is no FIELD=VALUE. Put text with spaces in quotation marks: notes=\"two doors\""
        ),
        ("new form", "Forms are imported, not typed. Use: import forms.jsonl"),
        ("quarantine restore", "Say which: quarantine restore NUMBER. The numbers: quarantine"),
        ("quarantine discard all", "'quarantine discard' takes one record. The numbers: quarantine"),
        ("service frobnicate", "There is no action 'frobnicate'. install, uninstall, status"),
        ("photo frobnicate 1", "There is no action 'frobnicate'. list, open, save, remove, rename, caption"),
        ("new inspection 'mill", "The quotation mark ' is not closed."),
        (
            #"edit 1 notes="two doors"score=61"#,
            #"A space is missing behind the quotation marks of a value. A quotation mark in its text is typed \": "#
                + #"notes="he said \"ok\"""#
        ),
        (
            #"edit 1 notes="sagte ""ok""""#,
            #"A space is missing behind the quotation marks of a value. A quotation mark in its text is typed \": "#
                + #"notes="he said \"ok\"""#
        ),
        ("init", "'init' is not for the shell: leave it and type fieldbook init."),
        ("login --self-signed --pinned-cert x", "Use --self-signed or --pinned-cert, not both."),
    ])
    func explainsWhatIsWrong(line: String, message: String) {
        let error = #expect(throws: UsageError.self) { try CommandParser.parse(line: line) }
        #expect(error?.description == message)
    }

    @Test(arguments: ["", "   ", "\t"]) func anEmptyLineIsNoCommand(line: String) throws {
        #expect(try CommandParser.parse(line: line) == nil)
    }

    @Test func commonOptionsMayBeAnywhere() throws {
        let parsed = try CommandParser.parse(tokens: ["list", "--json", "--folder", "/f", "--yes"], in: .oneShot)
        #expect(parsed.common == CommonOptions(folder: "/f", isJSON: true, asksNothing: true))
        #expect(parsed.command == Self.list(.inspection))
    }

    @Test func aLineIsQuotedAsItIsRead() throws {
        for word in [
            "plain", "two words", #"quo"te"#, #"back\slash"#, "it's", "", "ü🌊", "\u{301}e", "\"\u{301}", "\\\u{301}",
            " \u{5AD}",
        ] {
            #expect(try LineText.split(LineText.quoted(word)) == [word])
        }
    }

    /// As shells quote an apostrophe.
    @Test(arguments: [
        (#"attach 1 '/p/my counter'\''s photo.png'"#, "/p/my counter's photo.png"),
        (#"attach 1 ''\''t is one.png'"#, "'t is one.png"), (#"attach 1 'the boys'\'''"#, "the boys'"),
        (#"attach 1 'a '\'\''b '\'' c'"#, "a ''b ' c"), (#"attach 1 '/p/a'\'b.png"#, "/p/a'b.png"),
        (#"attach 1 "it's 5\" wide""#, #"it's 5" wide"#), (#"attach 1 my\ boy\'s.png"#, "my boy's.png"),
        (#"attach 1 'a'b'c"#, "ab'c"),
    ])
    func aNameThatWasDroppedIsOneArgument(line: String, name: String) throws {
        #expect(try LineText.split(line) == ["attach", "1", name])
    }

    @Test func anAccentDoesNotHideWhatIsBeforeIt() throws {
        #expect(try LineText.split("s \u{5AD}x") == ["s", "\u{5AD}x"])
        // Line breaks of what was pasted.
        #expect(try LineText.split("edit 1 notes=\"one⏎two\"⏎x") == ["edit", "1", "notes=one\ntwo", "x"])
        #expect(try LineText.split("\"a b\"\u{301}") == ["a b\u{301}"])
    }

    @Test func everyCommandHasAnEntryAndAHelp() {
        #expect(Set(CommandCatalogue.all.map(\.name)) == Set(CommandName.allCases))
        for name in CommandName.allCases {
            #expect(HelpText.text(name, width: 80).contains(name.rawValue))
            #expect(HelpText.overview(width: 80).contains("  \(name.rawValue)"))
        }
    }

    /// What a line may set is no secret that only an error gives away. The status of new work is none of it.
    @Test func theHelpOfNewNamesTheFields() {
        let help = HelpText.text(.new, width: 80)
        let day = CalendarDay(daysSince1970: 20_516)
        let site = Site(id: "site-a", name: "a", address: Address(), district: .unknown)
        let inspection = Inspection(id: "inspection-a", site: site.id, date: day, district: .unknown)
        let assignment = Assignment(
            id: "assignment-a", inspector: "mara", site: site.id, due: day, district: .unknown)
        func names<Record: EditableRecord>(_ record: Record) -> [String] {
            record.editableFields(form: nil).map(\.question.name).filter { $0 != "status" }
        }
        let finding = inspection.newFinding("finding-a", text: "a")
        for name in names(site) + names(inspection) + names(assignment) + names(finding) {
            #expect(help.contains(name), "\(name)")
        }
    }

    @Test func everyExampleInTheHelpIsUnderstood() throws {
        for example in CommandCatalogue.all.flatMap(\.examples) {
            #expect(try CommandParser.parse(line: example) != nil, "\(example)")
        }
    }
}
