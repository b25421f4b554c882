import DocumentValues
import FormLogic

/// The address of a map: `https://www.google.com/maps/@52.5,13.4,15z`, or `geo:52.5,13.4`.
struct MapLink: Sendable {
    private let address: String

    /// `nil` for a text that is no address.
    init?(_ text: String) {
        let start = text.shortened(toScalars: 12).lowercased()
        guard
            start.hasExactPrefix("http://") || start.hasExactPrefix("https://") || start.hasExactPrefix("www.")
                || start.hasExactPrefix("geo:")
        else { return nil }
        address = PercentText.decoded(text)
    }

    /// - Throws: `AnswerRefusal` for an address without a position.
    func position() throws(AnswerRefusal) -> TypedPosition {
        if let part = address.droppingExactPrefix("geo:") ?? address.droppingExactPrefix("GEO:") {
            return try uri(part)
        }
        // The pin goes before the middle of the view.
        for (start, between) in [("!3d", "!4d"), ("mlat=", "mlon=")] {
            if let latitude = number(behind: start), let longitude = number(behind: between) {
                return try TypedPosition(latitude: latitude, longitude: longitude)
            }
        }
        for start in ["?q=", "&q=", "query=", "destination=", "?ll=", "&ll=", "daddr=", "/@"] {
            guard let pair = numbers(behind: start, separator: ","), pair.count >= 2 else { continue }
            return try TypedPosition(latitude: pair[0], longitude: pair[1])
        }
        if let view = numbers(behind: "#map=", separator: "/"), view.count >= 3 {
            return try TypedPosition(latitude: view[1], longitude: view[2])
        }
        throw .linkWithoutPosition
    }

    /// `52.5,13.4,34;u=5?z=12`
    private func uri(_ text: String) throws(AnswerRefusal) -> TypedPosition {
        let numbers = Self.numbers(Substring(text), separator: ",")
        guard numbers.count >= 2 else { throw .linkWithoutPosition }
        let accuracy = number(behind: ";u=") ?? 0
        return try TypedPosition(
            latitude: numbers[0], longitude: numbers[1], altitude: numbers.count > 2 ? numbers[2] : 0,
            accuracy: accuracy)
    }

    private func number(behind start: String) -> Double? { numbers(behind: start, separator: ",")?.first }

    /// The numbers behind the last such beginning.
    private func numbers(behind start: String, separator: Unicode.Scalar) -> [Double]? {
        let (bytes, start) = (Array(address.utf8), Array(start.utf8))
        guard bytes.count >= start.count else { return nil }
        let index = (0...bytes.count - start.count).last { bytes[$0..<$0 + start.count].elementsEqual(start) }
        guard let index else { return nil }
        return Self.numbers(
            Substring(String(decoding: bytes[(index + start.count)...], as: UTF8.self)), separator: separator)
    }

    private static func numbers(_ text: Substring, separator: Unicode.Scalar) -> [Double] {
        var numbers: [Double] = []
        for part in text.split(atByte: separator, maxSplits: 3, omittingEmptySubsequences: false) {
            let digits = part.utf8.prefix { (0x30...0x39).contains($0) || [0x2B, 0x2D, 0x2E, 0x20].contains($0) }
            guard digits.count <= EntryLimits.positionDigits,
                let number = Double(String(Substring(digits)).trimmingSpaces)
            else { break }
            numbers.append(number)
            if digits.count < part.utf8.count { break }
        }
        return numbers
    }
}
