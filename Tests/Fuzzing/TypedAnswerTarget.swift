import DocumentValues
import FormEntry
import FormLogic

extension FuzzTarget {
    /// A text at a question of each type: what is taken is an answer of that type, which can be shown.
    static let typedAnswer = FuzzTarget(
        name: "typed-answer",
        seeds: { typedAnswers.enumerated().map { [UInt8(truncatingIfNeeded: $0)] + Array($1.utf8) } }
    ) { bytes in
        var reader = InputReader(bytes)
        let type = questionTypes[Int(reader.byte()) % questionTypes.count]
        let typed = text(reader.bytes(bytes.count))
        let choices = [
            OfferedChoice(name: "a", label: "First"), OfferedChoice(name: "1", label: "Second"),
            OfferedChoice(name: "-1", label: "Féw"),
        ]
        let question = AskedQuestion(type: type, choices: ChoiceIndex(choices), present: .names(["a"]))
        let context = AnswerContext(now: 1_772_627_430_500, zone: FixedFormZone(seconds: 3600))
        switch TypedAnswerReader.read(typed, for: question, in: context) {
        case .answer(let answer, _): checkAnswer(answer, of: question, in: context)
        case .question(let clarification):
            for meaning in clarification.meanings { checkAnswer(meaning.answer, of: question, in: context) }
        case .refused(let refusal): throw refusal
        case .file, .cleared, .kept: break
        }
    }

    /// A file with points: those that are taken are on the earth.
    static let pointFile = FuzzTarget(name: "point-file", seeds: { pointFiles.map { Array($0.utf8) } }) { bytes in
        for point in try PointFile.read(bytes, name: "a").get() {
            check(GeoPoint(json: point.json) == point, "a point of a file cannot be stored")
        }
    }

    private static func checkAnswer(_ answer: Answer, of question: AskedQuestion, in context: AnswerContext) {
        check(Answer(answer.json, type: question.type) == answer, "an answer does not have the type of its question")
        let line = AnswerText(question, in: context).line(answer)
        check(!line.utf8.contains(0x0A), "an answer is shown in two lines")
    }

    private static let questionTypes: [QuestionType] =
        [.integer, .decimal, .range, .date, .time, .dateTime, .geopoint, .geotrace, .geoshape, .barcode, .acknowledge]
        .map { .plain($0) } + QuestionType.SelectKind.allCases.map { .select($0, from: .list("l")) } + [.text]

    /// One for each type, in their order, and so on from the first.
    private static let typedAnswers = [
        "1 250", "1.250,5", "5,5", "Wed, 4th March 26", "1:45 pm (+01:00)", "2026-03-04T13:45Z",
        "52°30'15\"N 13°24'0\"E",
        "52.5 13.4\n9F4MGC22+22", "0 0; 0 1; 1 1", " 400 ", "y", "2 Second", "1,2-3 a", "3 1 2", "a", "1,250",
        "1'250.5",
        "3", "12/3", "-30m", "mon 9:00", "33U 391000 5817000",
        "https://www.openstreetmap.org/?mlat=52.5&mlon=13.4#map=9/1/2", "geo:52.5,13.4;u=5\n0 0\n1 1", "x", "n", "Fé",
        "+1 -2",
        "1",
    ]

    private static let pointFiles = [
        "<?xml version=\"1.0\"?><gpx><!-- a --><trk><trkseg><trkpt lat=\"1\" lon='2'><ele>3</ele></trkpt></trkseg></trk></gpx>",
        "<k:kml xmlns:k='x'><k:LineString><k:coordinates>1,2,3 4,5<![CDATA[ 6,7]]></k:coordinates></k:LineString></k:kml>",
        #"{"type":"FeatureCollection","features":[{"geometry":{"type":"Polygon","coordinates":[[[1,2,3],[4,5]]]}}]}"#,
        "lat,lon\n52.5 13.4\n# a\nN1 E2\n",
    ]
}
