import DocumentValues
import FormLogic
import Testing
import WorkCount

@testable import FormEntry

/// Long lists, lines and files: the work grows with their length, not with its square.
@Suite(.serialized, .timeLimit(.minutes(5))) struct AnswerGrowthTests {
    private func read(_ text: String) throws -> [GeoPoint] { try PointFile.read(Array(text.utf8), name: "a").get() }

    @Test(arguments: [
        ("<gpx><trk><trkseg>", "<trkpt lat=\"52.5\" lon=\"13.4\"><ele>34</ele></trkpt>", "</trkseg></trk></gpx>"),
        ("<kml><coordinates>", "13.4,52.5,34 ", "</coordinates></kml>"),
        ("<kml>", "<Point><coordinates>13.4,<![CDATA[52.5]]></coordinates></Point>", "</kml>"),
        (#"{"type":"LineString","coordinates":["#, "[13.4,52.5],", "[13.4,52.5]]}"),
        ("lat,lon\n", "52.5 13.4 34 5\n", ""),
    ])
    func aFileOfPoints(start: String, point: String, end: String) async throws {
        let growth = try await Growth.of(500) { count in
            start + String(repeating: point, count: count) + end
        } work: { text in
            let points = try read(text)
            #expect(points.count >= 500)
        }
        #expect(!growth.isSquare, "\(growth)")
    }

    @Test func aLineOfPoints() async throws {
        let growth = try await Growth.of(500) { count in
            String(repeating: "52°30'15\"N 13°24'E\n", count: count)
        } work: { text in
            guard case .answer = TypedAnswer(.plain(.geotrace)).outcome(text) else {
                Issue.record("it is refused")
                return
            }
        }
        #expect(!growth.isSquare, "\(growth)")
    }

    @Test func aListOfChoices() async throws {
        let growth = try await Growth.of(500) { count in
            (0..<count).map { OfferedChoice(name: "v\($0)", label: "Village \($0) é") }
        } work: { choices in
            var question = TypedAnswer(.select(.multiple, from: .list("l")))
            question.question.choices = ChoiceIndex(choices)
            #expect(question.read("village 99 e, v7") == "v99 v7")
            #expect(question.question.choices.narrowed(to: "é").count == choices.count)
        }
        #expect(!growth.isSquare, "\(growth)")
    }

    /// The names of some are the beginnings of others.
    @Test func aLineOfChoices() async throws {
        let growth = try await Growth.of(200) { count in
            let choices = (0..<count).map { OfferedChoice(name: "v\($0)") }
            return (ChoiceIndex(choices), choices.map(\.name.text).joined(separator: " "))
        } work: { index, line in
            var question = TypedAnswer(.select(.multiple, from: .list("l")))
            question.question.choices = index
            #expect(question.read(line) == line)
        }
        #expect(!growth.isSquare, "\(growth)")
    }

    @Test(arguments: [" ", "1", "1,", "-1 ", "é", "(", "\u{301}"])
    func aLineAtEachQuestion(piece: String) async throws {
        let questions = TextAnswerTests.types.map { TypedAnswer($0, choices: offered("a=A", "b=B")) }
        let growth = try await Growth.of(400) { count in
            String(repeating: piece, count: count)
        } work: { line in
            for question in questions { #expect(!question.read(line).isEmpty) }
        }
        #expect(!growth.isSquare, "\(growth)")
    }
}
