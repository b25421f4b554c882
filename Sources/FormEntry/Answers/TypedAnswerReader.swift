import DocumentValues
import FormLogic

/// Reads what a person types at a question.
package enum TypedAnswerReader {
    /// - Parameter text: without the marks of the conversation: `:clear`, `?`, the first colon of `::`. For a line of
    ///   points all of its lines.
    package static func read(
        _ text: String, for question: AskedQuestion, in context: AnswerContext
    ) -> AnswerOutcome {
        if isBlank(text), question.type != .plain(.acknowledge) { return .kept }
        do throws(AnswerRefusal) {
            switch question.type {
            case .select(let kind, _): return try select(kind, text: text, question: question, context: context)
            case .plain(.text): return try TextReader.text(text, for: question)
            case .plain(.geotrace), .plain(.geoshape): return try TraceReader(type: question.type).read(text)
            case .plain(let type): return try plain(type, text: text, question: question, context: context)
            }
        } catch {
            return .refused(error)
        }
    }

    private static func isBlank(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { $0.properties.isWhitespace }
    }

    private static func select(
        _ kind: QuestionType.SelectKind, text: String, question: AskedQuestion, context: AnswerContext
    ) throws(AnswerRefusal) -> AnswerOutcome {
        guard text.utf8.count <= EntryLimits.line else { throw .lineTooLong }
        let matching = ChoiceMatching(question.choices, source: context.source)
        var present: [Name] = []
        if case .names(let names)? = question.present { present = names }
        return switch kind {
        case .one: try SelectOneReader(matching: matching).read(text)
        case .multiple: try SelectMultipleReader(matching: matching, present: present).read(text)
        case .rank: try RankReader(matching: matching, present: present).read(text)
        }
    }

    private static func plain(
        _ type: QuestionType.PlainType, text: String, question: AskedQuestion, context: AnswerContext
    ) throws(AnswerRefusal) -> AnswerOutcome {
        guard text.utf8.count <= EntryLimits.line else { throw .lineTooLong }
        let numbers = NumberReader(comma: context.comma)
        switch type {
        case .integer: return try numbers.integer(text)
        case .decimal: return try numbers.decimal(text)
        case .range:
            return try RangeReader(
                scale: RangeScale(question.parameters), comma: context.comma, ticks: question.choices
            ).read(text)
        case .date: return try MomentReader(question, context: context).date(text)
        case .time: return try MomentReader(question, context: context).time(text)
        case .dateTime: return try MomentReader(question, context: context).dateTime(text)
        case .geopoint: return try PositionReader.outcome(text, context: context)
        case .geotrace, .geoshape: return try TraceReader(type: question.type).read(text)
        case .image, .audio, .video, .file: return .file(path: TypedPath.of(text))
        case .text: return try TextReader.text(text, for: question)
        case .barcode: return TextReader.barcode(text)
        case .acknowledge: return try TextReader.acknowledgement(text)
        case .note: throw .noteHasNoAnswer
        case .calculate, .hidden, .start, .end, .today, .deviceid, .username, .email, .phonenumber, .uriDeviceid,
            .uriUsername, .uriEmail, .uriPhonenumber, .subscriberid, .simserial, .startGeopoint, .backgroundGeopoint,
            .audit, .csvExternal, .xmlExternal:
            throw .notAsked(type.rawValue)
        }
    }
}
