import DocumentValues

/// Days and instants named by their distance from now, in the languages of the months' names.
enum RelativeName {
    /// Days from today: `t`, `yesterday`, `demain`; `nil` for another text.
    ///
    /// - Parameter folded: as `FoldedText` gives it.
    static func days(_ folded: String) -> Int64? {
        if today.contains(where: { $0.isExactly(folded) }) || isNow(folded) { return 0 }
        if yesterday.contains(where: { $0.isExactly(folded) }) { return -1 }
        return tomorrow.contains { $0.isExactly(folded) } ? 1 : nil
    }

    static func isNow(_ folded: String) -> Bool { now.contains { $0.isExactly(folded) } }

    private static let today = ["t", "today", "heute", "aujourd'hui", "hoy", "hoje", "oggi", "vandaag"]
    private static let yesterday = ["yesterday", "gestern", "hier", "ayer", "ontem", "ieri", "gisteren"]
    private static let tomorrow = ["tomorrow", "morgen", "demain", "manana", "amanha", "domani"]
    private static let now = ["now", "jetzt", "maintenant", "ahora", "agora", "adesso", "nu"]

    /// `-2`, `+7`; `nil` for another text, and for a number of more than six digits.
    static func signedNumber(_ folded: String) -> Int64? {
        let bytes = folded.utf8
        guard let sign = bytes.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+"),
            (2...7).contains(bytes.count), bytes.dropFirst().allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        return Int64(folded)
    }

    /// Milliseconds from now: `-2h`, `+30m`, `-1h30`, `-1 h`.
    static func milliseconds(_ folded: String) -> Int64? {
        let text = String(decoding: folded.utf8.filter { $0 != 0x20 }, as: UTF8.self)
        guard let unit = units.first(where: { text.hasExactSuffix($0.text) }) else { return nil }
        return signedNumber(String(Substring(text.utf8.dropLast(unit.text.utf8.count)))).map { $0 * unit.milliseconds }
    }

    private static let units: [(text: String, milliseconds: Int64)] = [
        ("min", 60_000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000),
    ]
}
