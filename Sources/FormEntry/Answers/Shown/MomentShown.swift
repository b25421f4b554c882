import DocumentValues
import FormLogic

/// Times as a person reads them.
enum MomentShown {
    /// `13:45 (+01:00)`
    static func time(_ time: TimeOfDay) -> String {
        clock(milliseconds: time.milliseconds, offset: TypedTime(FoldedText.of(time.text))?.offset)
    }

    /// `Wed 4 March 2026 13:45 (+01:00)`
    static func dateTime(_ stored: StoredDateTime, language: Name?) -> String {
        let clock = clock(milliseconds: stored.parts.milliseconds ?? 0, offset: stored.parts.offset)
        return "\(DayText(language).whole(stored.parts.day)) \(clock)"
    }

    /// With seconds where there are some.
    private static func clock(milliseconds: Int, offset: Int64?) -> String {
        // `13:45:30.500+01:00`
        let bytes = Array(MomentText.time(milliseconds: milliseconds, offset: offset ?? 0).utf8)
        let end = milliseconds % 1000 != 0 ? 12 : milliseconds % 60_000 != 0 ? 8 : 5
        let time = String(decoding: bytes.prefix(end), as: UTF8.self)
        return offset == nil ? time : "\(time) (\(String(decoding: bytes.dropFirst(12), as: UTF8.self)))"
    }
}
