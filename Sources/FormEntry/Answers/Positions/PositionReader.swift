import DocumentValues
import FormLogic

/// Reads a position in any of its notations.
enum PositionReader {
    /// - Throws: `AnswerRefusal` for another text, and for codes that need more than themselves.
    static func read(_ text: String) throws(AnswerRefusal) -> TypedPosition {
        guard text.utf8.count <= EntryLimits.position else { throw .noPosition(text) }
        let typed = text.trimmingSpaces
        if let link = MapLink(typed) { return try link.position() }
        if typed.unicodeScalars.contains("·") { return try shown(typed) }
        switch PlusCode(typed) {
        case .full(let latitude, let longitude, let half)?:
            let point = GeoPoint(latitude: latitude, longitude: longitude, accuracy: half)
            return TypedPosition(point, notes: [.codeAccuracy(half)])
        case .short?: throw .shortPlusCode
        case nil: break
        }
        if let position = UTMPosition(typed) { return try position.position() }
        if UTMPosition.isGridReference(typed) { throw .gridReference }
        return try DegreeReader.read(typed)
    }

    /// `52.50000 N 13.40000 E · altitude 34 m · ± 5 m · 1.2 km from the site`, as the answer is shown.
    private static func shown(_ text: String) throws(AnswerRefusal) -> TypedPosition {
        let parts = text.unicodeScalars.split(separator: "·").map {
            String(String.UnicodeScalarView($0)).trimmingSpaces
        }
        guard let first = parts.first else { throw .noPosition(text) }
        var typed = try DegreeReader.read(first)
        guard let altitude = number(parts, behind: "altitude"), let accuracy = number(parts, behind: "±") else {
            throw .noPosition(text)
        }
        typed = try TypedPosition(
            latitude: typed.point.latitude, longitude: typed.point.longitude, altitude: altitude, accuracy: accuracy,
            isSwapped: typed.isSwapped)
        return typed
    }

    /// 0 where no part begins so; `nil` where it has no number of metres.
    private static func number(_ parts: [String], behind start: String) -> Double? {
        guard let part = parts.lazy.compactMap({ $0.droppingExactPrefix(start) }).first else { return 0 }
        let pieces = part.spacedParts
        guard pieces.count == 2, pieces[1].isExactly("m"), let number = TypedNumber(pieces[0])?.decimal else {
            return nil
        }
        return number.value
    }

    // MARK: Answers

    /// The answer to a geopoint.
    ///
    /// - Throws: `AnswerRefusal`, as `read` does.
    static func outcome(_ text: String, context: AnswerContext) throws(AnswerRefusal) -> AnswerOutcome {
        let typed = try read(text)
        guard typed.isSwapped else { return .answer(.point(typed.point), notes: typed.notes) }
        return .question(.consent(to: PositionText.of(typed.point, site: context.site), answer: .point(typed.point)))
    }
}
