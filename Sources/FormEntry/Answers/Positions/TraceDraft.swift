import DocumentValues
import FormLogic

/// The points of a geotrace or a geoshape while they are typed, one a line.
package struct TraceDraft: Sendable {
    private let isShape: Bool
    package private(set) var points: [GeoPoint] = []

    package init(_ question: AskedQuestion) { self.init(question.type) }

    init(_ type: QuestionType) { isShape = type == .plain(.geoshape) }

    /// With points that were typed before, as `written` has them.
    init(_ question: AskedQuestion, written: String) {
        self.init(question)
        points = GeoPoint.list(written) ?? []
    }

    /// The points as records have them: `52.5 13.4 0.0 0.0; 52.6 13.4 0.0 0.0`.
    var written: String { Answer.points(points).text }

    package var count: Int { points.count }

    /// Adds the point of a line.
    ///
    /// - Returns: `.answer` with the point, which was added; or a question back, after which the point of the chosen meaning
    ///   is to be added; or a refusal.
    package mutating func add(_ line: String, in context: AnswerContext) -> AnswerOutcome {
        do throws(AnswerRefusal) {
            let outcome = try PositionReader.outcome(line, context: context)
            if case .answer(.point(let point), _) = outcome { points.append(point) }
            return outcome
        } catch {
            return .refused(error)
        }
    }

    package mutating func add(_ points: [GeoPoint]) { self.points += points }

    /// Takes the last point back.
    package mutating func removeLast() { _ = points.popLast() }

    /// `3 points · 340 m`
    package var text: String { PositionText.of(points, isShape: false) }

    /// The answer that the points are; a shape closes itself.
    package var outcome: AnswerOutcome {
        guard points.count < EntryLimits.points else { return .refused(.tooManyPoints) }
        guard isShape else {
            return points.count < 2
                ? .refused(.tooFewPoints(points.count, least: 2)) : .answer(.points(points), notes: [])
        }
        let isClosed = points.count > 1 && Self.isSame(points[0], as: points[points.count - 1])
        let corners = isClosed ? points.count - 1 : points.count
        guard corners >= 3 else { return .refused(.tooFewPoints(corners, least: 3)) }
        return isClosed
            ? .answer(.points(points), notes: []) : .answer(.points(points + [points[0]]), notes: [.shapeClosed])
    }

    private static func isSame(_ first: GeoPoint, as last: GeoPoint) -> Bool {
        first.latitude == last.latitude && first.longitude == last.longitude
    }
}

/// Reads all lines of a geotrace or a geoshape at once.
struct TraceReader {
    let type: QuestionType

    /// - Throws: `AnswerRefusal` for a line that is no position, with its number.
    func read(_ text: String) throws(AnswerRefusal) -> AnswerOutcome {
        var draft = TraceDraft(type)
        var swapped = 0
        for (number, line) in Self.lines(text).enumerated() {
            let plain = String(line).trimmingSpaces
            if plain.isEmpty { continue }
            guard draft.points.count < EntryLimits.points else { throw .tooManyPoints }
            do throws(AnswerRefusal) {
                let typed = try PositionReader.read(plain)
                if typed.isSwapped { swapped += 1 }
                draft.add([typed.point])
            } catch {
                throw error.inLine(number + 1)
            }
        }
        let outcome = draft.outcome
        guard swapped > 0, case .answer(let answer, _) = outcome else { return outcome }
        return .question(
            .consent(to: draft.text, answer: answer, question: "Swap latitude and longitude in \(swapped) lines?"))
    }

    /// Lines, or in one line points with `;` between them, as records have them.
    private static func lines(_ text: String) -> [Substring] {
        let separator: Unicode.Scalar = text.utf8.contains(UInt8(ascii: "\n")) ? "\n" : ";"
        return text.split(atByte: separator, maxSplits: EntryLimits.points, omittingEmptySubsequences: false)
    }
}
