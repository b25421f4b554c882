import DocumentValues

/// An answer that is written as a text: a default that is no expression, a value of a script, an answer of another type.
package enum WrittenAnswer {
    /// `nil` where the type cannot hold it.
    package static func answer(_ text: String, type: QuestionType, conversions: Conversions) -> Answer? {
        switch type {
        case .plain(.integer):
            // A fraction is none, although a calculation would cut it.
            guard let number = NumberReading.number(text), number == number.rounded() else { return nil }
        case .plain(.decimal), .plain(.range):
            // A day is a number only in an expression.
            guard NumberReading.number(text) != nil else { return nil }
        case .plain(.date), .plain(.dateTime), .plain(.time):
            // A number of days is no date that an author writes.
            guard NumberReading.number(text) == nil else { return nil }
        case .plain(.acknowledge): guard text.isExactly("OK") else { return nil }
        case .plain, .select: break
        }
        return AnswerStoring(conversions).answer(.text(text), for: type).answer
    }

    /// Why a type cannot hold a text: `no whole number`. `nil` where it can, and of types that any text fits.
    static func fault(of text: String, type: QuestionType) -> String? {
        guard case .plain(let plain) = type, let expected = expectation(of: plain),
            answer(text, type: type, conversions: Conversions(zone: FixedFormZone())) == nil
        else { return nil }
        return expected
    }

    private static func expectation(of type: QuestionType.PlainType) -> String? {
        switch type {
        case .integer: "no whole number of up to nine digits"
        case .decimal, .range: "no number"
        case .date, .dateTime: "no date, such as 2026-03-04"
        case .time: "no time, such as 13:45:00.000+01:00"
        case .geopoint: "no position, such as '52.5 13.4'"
        case .geotrace: "no trace, such as '52.5 13.4; 52.6 13.4'"
        case .geoshape: "no shape of at least four positions"
        case .acknowledge: "not 'OK'"
        case .text, .image, .audio, .video, .file, .barcode, .note, .calculate, .hidden, .start, .end, .today,
            .deviceid, .username, .email, .phonenumber, .uriDeviceid, .uriUsername, .uriEmail, .uriPhonenumber,
            .subscriberid, .simserial, .startGeopoint, .backgroundGeopoint, .audit, .csvExternal, .xmlExternal:
            nil
        }
    }
}
