/// Every command of the shell, in the order in which the help lists them.
public enum CommandCatalogue {
    public static let all: [CommandSpecification] = setup + records + exchange + around

    public static func specification(of name: CommandName) -> CommandSpecification {
        guard let specification = all.first(where: { $0.name == name }) else {
            preconditionFailure("every command is in the catalogue")
        }
        return specification
    }

    /// Options of every one-shot command.
    public static let common: [OptionSpecification] = [
        OptionSpecification("--folder", value: "DIR", about: "where your records are (or $FIELDBOOK_FOLDER)"),
        OptionSpecification(
            "--passphrase-file", value: "FILE", about: "first line: the passphrase (or $FIELDBOOK_PASSPHRASE_FILE)"),
        OptionSpecification("--json", about: "write JSON, one object a line"),
        OptionSpecification("--yes", about: "ask nothing: take the defaults and answer yes"),
        OptionSpecification("--all", about: "show all at once, not page by page"),
    ]

    private static let setup = [
        CommandSpecification(
            .initialize, about: "make a folder for your records",
            options: [
                OptionSpecification("--key-file", about: "no passphrase: keep the key in a file only you can read")
            ],
            notes: [
                "Photos and the password for the gateway are encrypted. The text of records is not: anybody who has this",
                "computer can read it, unless its disk is encrypted, too.",
                "Commands that open no photo and sign in nowhere, such as lists, do not ask for the passphrase.",
                "To type it once only, stay in the shell, or name a file with it (also /dev/fd/N).",
            ], availability: .oneShotOnly),
        CommandSpecification(
            .passphrase, about: "change the passphrase of your photos",
            options: [
                OptionSpecification("--new-passphrase-file", value: "FILE", about: "first line: the new one"),
                OptionSpecification("--key-file", about: "none any more: keep the key in a file only you can read"),
                OptionSpecification("--forgotten", about: "without the old one: give up the photos, keep the records"),
            ],
            notes: [
                "The photos stay as they are; only their key is sealed with the new one. A sync service that reads",
                "the passphrase from a file needs the new one there.",
                "--forgotten names the photos that were never sent, which are lost, and asks. Those that the gateway has",
                "come back with the next sync. Edits in the quarantine are lost, too; login again.",
            ]),
        CommandSpecification(
            .login, usage: "[GATEWAY [USER]]", arguments: 0...2, about: "sign in at a gateway",
            options: [
                OptionSpecification("--password-file", value: "FILE", about: "first line: the password"),
                OptionSpecification("--self-signed", about: "pin the certificate, which the gateway signed itself"),
                OptionSpecification(
                    "--pinned-cert", value: "FILE", about: "trust this certificate, or its authority beside it"),
                OptionSpecification("--offline", about: "keep it without asking the gateway now"),
            ], examples: ["login wss://gateway.example:4984/field mara"],
            notes: [
                "Once records were exchanged, a folder belongs to its user: another person who works here needs",
                "another folder.",
            ]),
    ]

    private static let days = [
        OptionSpecification("--since", value: "DAY", about: "of this day or later: 2026-03-04, today, -7"),
        OptionSpecification("--until", value: "DAY", about: "of this day or earlier"),
    ]

    /// Options of the commands whose lines are kept as views.
    private static let viewed =
        ["--status", "--site", "--district", "--form", "--sort", "--since", "--until"].map { name in
            OptionSpecification(name, value: "VALUE", about: "of the list that is saved")
        } + ["--mine", "--deleted", "--changed"].map { OptionSpecification($0, about: "of the list that is saved") }

    private static let records = [
        CommandSpecification(.today, about: "what is due, overdue, begun, returned, refused or changed by others"),
        CommandSpecification(
            .start, usage: "ASSIGNMENT", arguments: 1...1,
            about: "begin the inspection or the form that an assignment asks for",
            examples: ["start 1"],
            notes: ["The inspection takes the assignment's site and form. submit closes the assignment, too."]),
        CommandSpecification(
            .sites, usage: "[TEXT …]", arguments: 0...20, about: "list all sites, or those with this text",
            options: [OptionSpecification("--district", value: "CODE", about: "of one district")],
            examples: ["sites quay"]),
        CommandSpecification(
            .list, usage: "[KIND] [FILTER …]", arguments: 0...12,
            about: "list inspections, findings, assignments, forms, responses or sites",
            options: [
                OptionSpecification(
                    "--status", value: "STATUS",
                    about: "draft, submitted, returned, approved; open, done; finalised, sent, edited"),
                OptionSpecification("--site", value: "SITE", about: "of one site"),
                OptionSpecification("--district", value: "CODE", about: "of one district"),
                OptionSpecification("--form", value: "FORM", about: "that answer one form"),
                OptionSpecification(
                    "--sort", value: "COLUMN", about: "date, site, status, score, form, name; -COLUMN: reversed"),
                OptionSpecification("--mine", about: "only mine"),
                OptionSpecification(
                    "--deleted", about: "what was deleted, here or by others, to be seen and brought back"),
                OptionSpecification("--changed", about: "what others have changed in your records, to be set back"),
            ] + days,
            examples: [
                "list", "list findings --site mill", "list --status draft --since -30",
                "list inspections district=harbour \"score<60\" since=-7d status=returned",
                "list responses form=water_point status=sent sort=site",
            ],
            notes: [
                "A FILTER is an option without its dashes: status=draft is --status draft. Scores are compared, too: score<60",
                "(in quotation marks where another shell reads it). Of filled forms finalised waits to be sent, sent is with the",
                "reviewers. Keep a list under a name: view save NAME list …",
            ]),
        CommandSpecification(
            .find, usage: "TEXT …", arguments: 1...20,
            about: "search sites, inspections, findings, assignments and filled forms",
            options: days, examples: ["find cold store", "find ruckgabe --since 2026-01-01"],
            notes: ["Finds records with all of the terms; accents and capital letters do not matter."]),
        CommandSpecification(
            .show, usage: "RECORD", arguments: 1...1, about: "show a record with all that belongs to it",
            options: [OptionSpecification("--lang", value: "CODE", about: "the language of a filled form's labels")],
            examples: ["show 3"]),
        CommandSpecification(
            .log, usage: "RECORD", arguments: 1...1, about: "a record's history, as far as this laptop knows it",
            examples: ["log 3"]
        ),
        CommandSpecification(
            .diff, usage: "RECORD [VERSION [VERSION]]", arguments: 1...3,
            about: "two versions of a record side by side, as far as this laptop knows them",
            examples: ["diff 3", "diff 3 1 4", "diff 3 gateway"],
            notes: [
                "Versions have numbers, the oldest is 1; gateway is what the gateway had last. Without any, the last two are",
                "compared; one is compared with the present one.",
            ]),
        CommandSpecification(
            .view, usage: "list|save NAME LIST|rm NAME|NAME", arguments: 1...40,
            about: "lists that are kept under a name",
            options: viewed,
            examples: [
                "view save late list inspections status=returned since=-30d", "view late", "view list", "view rm late",
            ],
            notes: ["LIST is a line of list, sites or find. A view shows what is there when it is shown."]),
        CommandSpecification(
            .undo, usage: "[RECORD]", arguments: 0...1,
            about: "take back the last change, also one that was sent",
            examples: ["undo", "undo mill"],
            notes: [
                "A second undo takes back the change before. What was sent is changed back by an edit, which the next sync",
                "sends, as long as nobody has changed it since. But a new record, a submission, an approval and a return",
                "stay once they were sent. A deletion is taken back at any time.",
                "Undoing a new record deletes it, so undo asks first; without a terminal it needs --yes.",
                "undo RECORD brings back what was deleted (list --deleted), here or by others, whatever was done since.",
                "A record that others had is then yours. Of a record that is there it takes back your last change.",
                "It also sets back what others have changed in a record of yours, as log RECORD shows it.",
            ]),
        CommandSpecification(
            .new, usage: "inspection|finding|site|assignment [OF] [FIELD=VALUE …]", arguments: 0...40,
            about: "make a record",
            options: [
                OptionSpecification(
                    "--finding", value: "TEXT", isRepeated: true, about: "a finding of the new inspection")
            ],
            examples: [
                "new inspection", "new inspection mill form=kitchen fridge=4.5 score=92",
                "new finding 1 text=\"No thermometer\" risk=moderate",
            ],
            notes: [
                "FIELDs of an inspection: form, date, visit, score, notes, inspector, and those of its form (show FORM);",
                "of a finding: text, risk, corrected, notes; of a site: name, district, street, city, state, postalCode,",
                "phone, notes; of an assignment: inspector, due, form, instructions.",
                "Only supervisors assign work: the gateway refuses new assignments of other users.",
            ]),
        CommandSpecification(
            .edit, usage: "RECORD [FIELD=VALUE …]", arguments: 1...40, about: "change a record",
            examples: ["edit 2", "edit 2 score=88 notes=\"back door\"", "edit 2 site=mill"],
            notes: [
                "What is submitted, and not sent yet or refused by the gateway, can be changed, too; status=draft takes it",
                "back.",
            ]),
        CommandSpecification(
            .attach, usage: "RECORD FILE", arguments: 2...2,
            about: "add a photo or another file to an inspection or a finding",
            options: [OptionSpecification("--caption", value: "TEXT", about: "what it shows")],
            examples: ["attach 1 ~/photos/door.jpg --caption \"Back door\""]),
        CommandSpecification(
            .photo, usage: "list|open|save|remove|rename|caption RECORD [PHOTO] [FILE|NAME|TEXT]", arguments: 2...40,
            about: "the photos of an inspection or a finding, one by one",
            examples: [
                "photo list 1", "photo save 1 door.jpg ~/pictures", "photo rename 1 2 back-door.jpg",
                "photo caption 1 2 \"Back door\"",
            ],
            notes: [
                "PHOTO is a number of photo list, or a name; a record's only photo needs none. FILE of save is a",
                "folder or a new file. caption says what a photo shows; an empty TEXT (\"\") removes the caption.",
                "open makes an unencrypted copy, in a folder that only you can enter. Without a desktop it is removed",
                "when the viewer ends; else when the shell ends, or, after a single command, with the first command a",
                "minute later.",
            ]),
        CommandSpecification(
            .submit, usage: "RECORD", arguments: 1...1, about: "hand in an inspection or a filled form",
            notes: [
                "Of a filled form all answers are looked at first; what is open or wrong is named. fill RECORD changes it then.",
                "Until a sync has sent it, edit changes it, and edit INSPECTION status=draft takes it back.",
            ]),
        CommandSpecification(
            .approve, usage: "RECORD", arguments: 1...1, about: "accept a submitted inspection or filled form"),
        CommandSpecification(
            .sendBack, usage: "RECORD REASON", arguments: 1...40,
            about: "send a submitted inspection or filled form back to its author",
            options: [
                OptionSpecification("--at", value: "QUESTION", about: "of a filled form: the answer that is meant")
            ],
            examples: ["return 1 which door?", "return 2 too deep --at point[2]/about/depth"],
            notes: ["Of a filled form each further return adds a comment; its author reads it beside the answer."]),
        CommandSpecification(
            .delete, usage: "RECORD", arguments: 1...5, about: "delete a record, everywhere with the next sync",
            examples: ["delete 3", "delete findings of 3 by eve"],
            notes: [
                "delete findings of INSPECTION by NAME deletes all that one person has found there, after one question."
            ]),
    ]

    private static let exchange = [
        CommandSpecification(
            .sync, about: "exchange records with the gateway",
            options: [
                OptionSpecification("--continuous", about: "go on until stopped: the sync service"),
                OptionSpecification(
                    "--reset", about: "compare everything again, and fetch photos that this laptop lost"),
                OptionSpecification(
                    "--photos", value: "WHEN",
                    about: "from now on photos of others come always, on-demand, or with a good-link"),
                OptionSpecification(
                    "--password-file", value: "FILE",
                    about: "first line: the password, instead of the one that login keeps"),
            ],
            notes: [
                "Photos of others come behind the records, those of the last changes first. A good link brings 100 KB a",
                "second, by the first photos of the sync. What has not come is fetched when photo open, photo save or",
                "export needs it. Your own photos are always sent.",
                "Where the sync service runs, sync asks it to exchange now. The service needs no network to start, and",
                "notices when the network comes and goes. It uses a new login, or a new password in FILE, without a",
                "restart. While the gateway refuses the password, it waits for a new one, and tries the old one seldom.",
                "SIGHUP makes it try at once; SIGTERM ends it. Keep it running: fieldbook service install",
                "What the gateway refused for lack of access is sent again with every sync, and every five minutes by",
                "the service: see outbox.",
            ]),
        CommandSpecification(
            .service, usage: "install|uninstall|status", arguments: 1...1,
            about: "have systemd keep this folder's sync running",
            options: [
                OptionSpecification("--password-file", value: "FILE", about: "for the service: see sync"),
                OptionSpecification("--no-start", about: "only write the unit"),
            ],
            examples: ["service install", "service install --passphrase-file ~/.config/fieldbook/passphrase"],
            notes: [
                "Each folder has a service of its own. It runs under your account while you are logged in; after",
                "loginctl enable-linger it runs from the start of the computer. A folder with a passphrase needs",
                "--passphrase-file, because the service cannot ask anybody.",
            ]),
        CommandSpecification(.status, about: "who you are, what is here, what waits to be sent"),
        CommandSpecification(
            .outbox, usage: "[show|retry|keep|discard NUMBER]", arguments: 0...3,
            about: "what the gateway refused, and why",
            examples: ["outbox show 1", "outbox retry all", "outbox retry of mara", "outbox discard 2"],
            notes: [
                "A refused record is safe here. Change what is wrong with edit, and the next sync sends it again; or",
                "retry sends it as it is, keep leaves it here without further reports, and discard gives it up: the",
                "gateway's version comes back, and a record that the gateway never had is deleted. retry all,",
                "keep all and discard all are for everything that is in the outbox; discard asks about each record, and with",
                "--yes about none. retry of NAME is for a lost laptop: what waits for NAME to send it is sent as yours.",
            ]),
        CommandSpecification(
            .conflicts, usage: "[show NUMBER|take NUMBER mine|theirs|FIELD=VALUE …]", arguments: 0...40,
            about: "records with different values from two devices, for you to decide",
            examples: [
                "conflicts", "conflicts show 1", "conflicts take 1 mine", "conflicts take 1 score=80 notes=theirs",
                "conflicts take all keep",
            ],
            notes: [
                "Until you decide, one value is current, and every device keeps the others in the record. mine is what",
                "was typed on this device, or by you on another; theirs is the other one. You can also say current or",
                "other, name a device or a user, or give a value of your own. keep or delete decides about a record",
                "that somebody deleted while it was changed elsewhere; take all keep about all such records.",
            ]),
        CommandSpecification(
            .quarantine, usage: "[show|restore|discard NUMBER]", arguments: 0...2,
            about: "edits of yours that were not sent before you lost access to their records"),
        CommandSpecification(
            .importFiles, usage: "FILE|DIR …", arguments: 1...100,
            about: "read tables of sites, inspections and findings",
            options: [
                OptionSpecification(
                    "--map", value: "FIELD=COLUMN", isRepeated: true,
                    about: "the column that has another name in the file"),
                OptionSpecification("--as", value: "KIND", about: "the rows are sites, inspections or findings"),
                OptionSpecification("--preview", about: "only show what would be imported"),
                OptionSpecification("--strict", about: "import nothing if a row would be left out"),
                OptionSpecification("--report", value: "FILE", about: "where to write each problem that was found"),
            ],
            examples: [
                "import register/", "import book1.csv --as sites --map business_id=Nr --map address=Street --preview",
            ],
            notes: [
                "Sites need the columns business_id, name, address, city, state and postal_code, and take",
                "latitude, longitude, phone_number, district and notes; without a column for the district the postal code is used.",
                "Inspections need business_id, score, date and type, and take inspector and notes; findings need",
                "business_id, date and description, and take risk and notes. --map state= says that",
                "the file has no such column. The same rows give the same records, however often they are imported.",
                "What export wrote is imported again as it was. Its tables may be changed in a spreadsheet first: the",
                "changed cells are taken over, unless somebody has changed the record since the export.",
            ]),
        CommandSpecification(
            .export, usage: "[FORM] DIR", arguments: 1...2,
            about: "write everything as tables, with the photos; or the records of one form",
            options: [OptionSpecification("--format", value: "FORMAT", about: "csv, jsonl or both [both]")]
                + ofExportedForms,
            examples: [
                "export ~/backup", "export water_point ~/water --style kobo --labels fr",
                "export water_point ~/map --style geojson --since -30",
            ],
            notes: [
                "With FORM the records of that form are written: central, kobo and fieldbook are tables, one for the records and",
                "one for each repeat, with the files in media/; geojson is a map, jsonl the records themselves, xml what servers",
                "of OpenRosa take. Drafts are left out unless --status names them.",
            ]),
        forms, filling,
    ]

    private static let ofExportedForms =
        [
            OptionSpecification(
                "--style", value: "STYLE", about: "central, kobo, fieldbook, geojson, jsonl, xml [central]"),
            OptionSpecification("--labels", value: "CODE", about: "headings and choices as labels in a language"),
            OptionSpecification("--split-select", about: "a column of 0 or 1 for each choice of several"),
            OptionSpecification("--no-group-names", about: "headings without the names of groups"),
            OptionSpecification("--all-versions", about: "also the questions of earlier versions"),
            OptionSpecification("--spreadsheet-safe", about: "an apostrophe in front of what a spreadsheet would run"),
            OptionSpecification(
                "--field", value: "PATH", isRepeated: true, about: "of geojson: the question for the place"),
            OptionSpecification("--status", value: "STATUS", about: "as of list responses"),
            OptionSpecification("--site", value: "SITE", about: "of one site"),
            OptionSpecification("--district", value: "CODE", about: "of one district"),
            OptionSpecification("--mine", about: "only mine"),
        ] + days

    private static let forms = CommandSpecification(
        .form, usage: "import|check|show|list|export|try|evaluate [FILE|FORM]", arguments: 1...101,
        about: "forms of questions: take them in, check, show and write them",
        options: [
            OptionSpecification("--version", value: "VERSION", about: "instead of the version in the file"),
            OptionSpecification("--name", value: "ID", about: "instead of the form's id in the file"),
            OptionSpecification("--media", value: "DIR", about: "where the files are that the form names"),
            OptionSpecification("--dry-run", about: "only look what would be taken in"),
            OptionSpecification("--skip-unsupported", about: "hide questions that cannot be asked here"),
            OptionSpecification("--ignore-encryption", about: "take in a form whose records ODK would encrypt"),
            OptionSpecification("--yaml", about: "of show: the form in YAML, which can be taken in again"),
            OptionSpecification("--format", value: "FORMAT", about: "of export: xlsx, yaml, csv or xml"),
            OptionSpecification("--output", value: "FILE", about: "of export: a new file"),
            OptionSpecification("--answers", value: "FILE", about: "of evaluate: a JSON object; - is the input"),
            OptionSpecification("--expression", value: "E", about: "of evaluate: what to evaluate"),
            OptionSpecification("--at", value: "PATH", about: "of evaluate: the question that has the expression"),
            OptionSpecification("--now", value: "TIME", about: "of evaluate: the present time"),
        ] + answering,
        examples: [
            "form check kitchen.yaml", "form import water.xlsx --version 2026030401", "form show kitchen_hygiene",
            "form export kitchen_hygiene --format xlsx --output kitchen.xlsx",
        ],
        notes: [
            "FILE is an XLSForm (.xlsx, .ods, .csv, .md, or a folder with survey.csv), an XForm (.xml) or a form in YAML.",
            "FORM is a form's id or its beginning, or ID@VERSION. check needs no folder of records; its exit status is 1",
            "where the form has errors, and 2 where a file cannot be read. A version that was taken in never changes:",
            "other questions need another version. The gateway takes forms from the office only.",
            "try fills a form as fill does, and saves nothing; try and evaluate take the file of a form, too. evaluate",
            "gives the value of one expression of a filled form, with its type.",
        ])

    /// Options of commands that fill a form.
    private static let answering = [
        OptionSpecification("--from", value: "FILE", about: "answers as a JSON object; - is the standard input"),
        OptionSpecification("--set", value: "NAME=VALUE", isRepeated: true, about: "one answer, as a person types it"),
        OptionSpecification("--add", value: "REPEAT", isRepeated: true, about: "another instance, for those behind it"),
        OptionSpecification("--lines", about: "lines NAME=VALUE and add REPEAT from the standard input"),
        OptionSpecification("--finalize", about: "look at all answers, and finalise the record"),
        OptionSpecification("--final", about: "the same"),
        OptionSpecification("--surplus", value: "keep|drop", about: "instances beyond their count, at the end"),
        OptionSpecification("--lang", value: "CODE", about: "the language of labels and messages"),
    ]

    private static let filling = CommandSpecification(
        .fill, usage: "FORM|RECORD", arguments: 1...1, about: "fill a form, or go on with one",
        options: answering + [
            OptionSpecification("--site", value: "SITE", about: "the site that the new record is about"),
            OptionSpecification("--reason", value: "TEXT", about: "why a record that was sent is changed"),
            OptionSpecification("--upgrade", about: "take a draft to the current version of its form, and say how"),
        ],
        examples: [
            "fill kitchen_hygiene", "fill water_point --from answers.json --finalize",
            "fill water_point --set region=n --add point --set label_text=WP-1", "fill k3m9x2pq7d --upgrade",
        ],
        notes: [
            "Without answers the questions are asked, each answer is saved at once, and ? explains what can be typed.",
            "NAME is a question's name, or its path: about/depth, point[2]/about/depth. In JSON groups are objects, and",
            "repeats are lists of objects. With problems the exit status is 1, and each is named with its question; what",
            "was accepted stays in the draft, and a form of which nothing was accepted is not saved. Without --finalize",
            "the record stays a draft, and questions that must be answered may be open.",
            "A record that was sent is changed with a reason, which its history keeps (log RECORD): by its author where the form",
            "allows it or it was returned, and by supervisors. A change of a final record makes it a draft again.",
        ])

    private static let around = [
        CommandSpecification(
            .shell, about: "open the shell",
            options: [
                OptionSpecification("--replay", value: "FILE", about: "read the lines of a file as if they were typed")
            ],
            availability: .oneShotOnly),
        CommandSpecification(.more, about: "the next page of what was shown last", availability: .shellOnly),
        CommandSpecification(.help, usage: "[COMMAND]", arguments: 0...1, about: "this list, or more about a command"),
        CommandSpecification(.quit, about: "leave", availability: .shellOnly),
    ]
}
