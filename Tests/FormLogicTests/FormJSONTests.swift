import DocumentValues
import FormLogic
import Testing

@Suite struct FormJSONTests {
    private func read(_ text: String) throws -> (form: Form, problems: [FormProblem]) {
        FormReader.read(try JSONObject(parsing: Array(text.utf8)))
    }

    private let whole = """
        {"type":"form","schema":2,"form":"water","version":"7","title":{"en":"Water","fr":"Eau"},"root":"data",
         "languages":[{"code":"en","name":"English"},{"code":"fr","name":"Français"}],"default_language":"fr",
         "instance_name":"concat(${village}, '!')",
         "settings":{"client_editable":true,"allow_choice_duplicates":true,"omit_instance_id":true,"style":"pages","x":1},
         "record":{"inspection":{"site":"village","date":"today"}},
         "lists":{"region":[{"name":"n","label":{"en":"North","fr":"Nord"},"media":{"big-image":"n.png"},
                             "columns":{"pop":"1"},"source_row":3,"y":[1]}],
                  "long":{"blob":{"@type":"blob","digest":"sha1-Kq5sNclPz7QV2+lfQIuc6R7oRu0=","length":9}}},
         "files":{"towns.csv":{"kind":"csv","z":null}},
         "texts":{"/data/a:label":{"en":"A"}},
         "nodes":[
           {"name":"today","type":"today","source_row":2},
           {"name":"r","type":"select_one","list":"region","label":"R","hint":"h","guidance_hint":{"en":"g"},
            "media":{"image":{"en":"a.png"}},"required":"true()","required_message":"m","constraint":". != ''",
            "constraint_message":{"fr":"c"},"relevant":"1","read_only":"0","calculation":"2","trigger":["today"],
            "default":"n","choice_filter":"true()","appearance":["minimal"],"parameters":{"randomize":"true"},
            "save_to":"p","new":{"a":1}},
           {"name":"f","type":"select_multiple_from_file","file":"towns.csv"},
           {"name":"e","type":"select_one_external","list":"region"},{"name":"k","type":"rank","list":"region"},
           {"name":"a","type":"select_one","list":"${village}"},
           {"name":"p","type":"repeat","repeat_count":"3","nodes":[
             {"name":"village","type":"text"},{"name":"g","type":"group","nodes":[{"name":"d","type":"decimal"}]}]}],
         "entities":[{"list_name":"l","label":"${village}","entity_id":"1","create_if":"2","update_if":"3","repeat":"p"}],
         "source":{"file":"w.xlsx"},"channels":["!"],"later":[1.50]}
        """

    @Test func nothingIsLost() throws {
        let object = try JSONObject(parsing: Array(whole.utf8))
        let (form, problems) = try read(whole)
        #expect(problems.isEmpty)
        #expect(form.definition.filter { $0 != "digest" } == object)
        #expect(form.nodes[1].rest == ["new": ["a": 1]])
        #expect(form.nodes[5].type == .select(.one, from: .answers("village")))
        #expect(form.language == "fr" && form.settings.clientEditable)
    }

    @Test func theDigestIsOfTheContent() throws {
        let (form, _) = try read(whole)
        var other = form
        other.source = nil
        other.nodes[0].sourceRow = 9
        other.rest["channels"] = ["a"]
        #expect(other.digest == form.digest)
        other.nodes[0].name = "day"
        #expect(other.digest != form.digest)
        // The order of members and the spelling of numbers do not count.
        let respelled = try read(whole.replacing("[1.50]", with: "[1.5e0]")).form
        #expect(respelled.digest == form.digest && form.digest.hasPrefix("sha256-") && form.digest.utf8.count == 71)
        #expect(try read(String(decoding: form.definition.bytes, as: UTF8.self)).form.statedDigest == form.digest)
    }

    @Test(arguments: [
        (#"{"nodes":[]}"#, "form: is missing"),
        (#"{"form":"f","type":"site"}"#, "type: 'site' is no form"), (#"{"form":"f","schema":1}"#, "schema: must be 2"),
        (#"{"form":"f","nodes":{}}"#, "nodes: must be a list of objects"),
        (#"{"form":"f","nodes":[{"type":"text"}]}"#, "nodes[0].name: is missing"),
        (#"{"form":"f","nodes":[{"name":"a"}]}"#, "nodes[0].type: is missing"),
        (#"{"form":"f","nodes":[{"name":"a","type":"intger"}]}"#, "nodes[0].type: 'intger' is no type of question"),
        (
            #"{"form":"f","nodes":[{"name":"g","type":"group","nodes":[{"name":"a","type":"text","label":1}]}]}"#,
            "nodes[0].nodes[0].label: must be a text, or an object with a text for each language"
        ),
        (
            #"{"form":"f","nodes":[{"name":"a","type":"select_one"}]}"#,
            "nodes[0].list: is needed by a question with choices"
        ),
        (#"{"form":"f","lists":{"l":[{"label":"x"}]}}"#, "lists.l[0].name: is missing"),
        (#"{"form":"f","lists":{"l":1}}"#, "lists: must be an object with a list of choices for each name"),
        (#"{"form":"f","settings":{"client_editable":"yes"}}"#, "settings.client_editable: must be true or false"),
    ])
    func aFaultIsNamedWithItsPath(text: String, problem: String) throws {
        let (form, problems) = try read(text)
        #expect(problems.map(\.description) == [problem])
        // What cannot be read is written again; what is missing is empty then.
        guard !problem.hasSuffix("is missing"), !problem.contains("is needed") else { return }
        let object = try JSONObject(parsing: Array(text.utf8))
        for member in object.members
        where member.key != "type" && member.key != "schema" && member.value.arrayValue != [] {
            #expect(form.definition[member.key] == member.value)
        }
    }

    @Test func groupsThatAreTooDeepStayUnread() throws {
        var node = #"{"name":"a","type":"text"}"#
        for _ in 0..<300 { node = #"{"name":"g","type":"group","nodes":[\#(node)]}"# }
        let (form, problems) = try read(#"{"form":"f","nodes":[\#(node)]}"#)
        #expect(problems.count == 1 && problems[0].message == "groups and repeats may be 16 levels deep")
        #expect(FormOutline(form).entries.count < 24)
    }

    // MARK: Answers

    @Test(arguments: [
        ("text", #""a""#), ("integer", "-12"), ("decimal", "1.5"), ("date", #""2026-03-04""#),
        ("time", #""13:45:00.000+01:00""#), ("dateTime", #""2026-03-04T13:45:30.500+01:00""#), ("select_one", #""n""#),
        ("select_multiple", #"["n","s"]"#), ("rank", #"["s","n"]"#),
        ("geopoint", #"{"latitude":52.5,"longitude":13.4,"altitude":34,"accuracy":5}"#),
        (
            "geotrace",
            #"[{"latitude":1,"longitude":2,"altitude":0,"accuracy":0},{"latitude":3,"longitude":4,"altitude":0,"accuracy":0}]"#
        ),
        ("image", #"{"name":"a.jpg","blob":{"digest":"x"}}"#), ("calculate", "true"), ("calculate", "1.5"),
        ("calculate", #""2026-03-04T13:45:30.500+01:00""#), ("acknowledge", #""OK""#), ("note", #""x""#),
    ])
    func anAnswerIsStoredAsItIs(type: String, json: String) throws {
        let value = try JSONValue(parsing: json)
        let type = try #require(QuestionType(typeName: type))
        let answer = try #require(Answer(value, type: type))
        #expect(answer.json == value)
    }

    @Test(arguments: [
        ("text", #""""#), ("text", "[]"), ("integer", "1.5"), ("integer", "3000000000"), ("integer", #""1""#),
        ("date", #""2026-02-30""#), ("date", #""2026-03-04T10:00""#), ("time", #""25:00""#),
        ("dateTime", #""2026-03-04""#),
        ("select_multiple", #"["a","a"]"#), ("select_multiple", "[]"), ("geopoint", #"{"latitude":91,"longitude":0}"#),
        ("geotrace", "[]"), ("image", #"{"name":""}"#), ("csv-external", #""a""#), ("decimal", "null"),
    ])
    func aValueThatTheTypeDoesNotHaveIsNoAnswer(type: String, json: String) throws {
        let type = try #require(QuestionType(typeName: type))
        #expect(Answer(try JSONValue(parsing: json), type: type) == nil)
    }

    @Test func unreadAnswersAreKept() throws {
        let outline = FormOutline(try ContextForm.form())
        let answers = try JSONObject(
            parsing: Array(
                #"{"nm":5,"age":"x","gone":[1],"g":{"ing":"a","b":1},"person":[{"@key":"k","page":"old","c":2}]}"#.utf8)
        )
        let (record, problems) = Record.read(answers, outline: outline) { "new" }
        #expect(
            problems.map(\.description) == [
                "/age: no answer to a question of type integer", "/gone: the form has no such question",
                "/g/b: the form has no such question", "/person[1]/page: no answer to a question of type integer",
                "/person[1]/c: the form has no such question",
            ])
        #expect(record.answers() == answers)
    }
}
