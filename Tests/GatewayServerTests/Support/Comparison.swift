import DocumentValues
import Foundation
import TranscriptSupport

/// Says in what an answer differs from a recorded one; times, ids that are made up and our own name do not count.
struct Comparison {
    private let exchange: RESTExchange
    private let answer: RawAnswer

    init(_ exchange: RESTExchange, _ answer: RawAnswer) {
        self.exchange = exchange
        self.answer = answer
    }

    func difference(_ sequences: inout SequenceMap) -> String? {
        guard exchange.status == answer.status else {
            return "status \(answer.status) instead of \(exchange.status): \(answer.text.prefix(300))"
        }
        return headerDifference ?? bodyDifference(&sequences)
    }

    // MARK: Headers

    private static let compared = [
        "Content-Type", "Etag", "Cache-Control", "Content-Range", "Accept-Ranges", "Transfer-Encoding",
        "Content-Encoding",
    ]
    private static let presence = ["Www-Authenticate", "Set-Cookie"]

    private var headerDifference: String? {
        guard exchange.status != 301 else { return exchange.method == "GET" ? pairDifference("Location") : nil }
        for name in Self.presence where (recorded(name) == nil) != (answer.header(name) == nil) {
            return "\(name) is \(answer.header(name) ?? "absent") instead of \(recorded(name) ?? "absent")"
        }
        for name in Self.compared {
            if let difference = pairDifference(name) { return difference }
        }
        return pairDifference("Location") ?? allowDifference
    }

    private func recorded(_ name: String) -> String? { exchange.responseHeaders.first { $0.name == name }?.value }

    private func pairDifference(_ name: String) -> String? {
        let (expected, found) = (recorded(name).map(normal), answer.header(name).map(normal))
        // Without a body its type says nothing.
        if name == "Content-Type", answer.body.isEmpty, expected == nil || found == nil { return nil }
        return expected == found ? nil : "\(name) is \(found ?? "absent") instead of \(expected ?? "absent")"
    }

    private func normal(_ value: String) -> String {
        if exchange.path.contains("_config") { return value.replacing(/^"(\d+)-.*"$/) { "\($0.output.1)-…" } }
        return value.lowercased().replacing(/boundary=.*$/, with: "boundary")
            .replacing(/^[0-9a-f]{32}$/, with: "made up")
    }

    private var allowDifference: String? {
        func methods(_ text: String?) -> Set<String> { Set((text ?? "").components(separatedBy: ", ")) }
        let (expected, found) = (methods(recorded("Allow")), methods(answer.header("Allow")))
        return expected == found ? nil : "Allow is \(found.sorted()) instead of \(expected.sorted())"
    }

    // MARK: Body

    private func bodyDifference(_ sequences: inout SequenceMap) -> String? {
        guard exchange.method != "HEAD", exchange.status != 301 else { return nil }
        if let expected = exchange.response {
            guard let found = answer.json else { return "body is no JSON: \(answer.text.prefix(300))" }
            if let difference = Self.difference(expected, found, "", &sequences) { return difference }
            return framingDifference
        }
        guard let text = exchange.responseText else { return nil }
        let (expected, found) = (Self.withoutBoundaries(text), Self.withoutBoundaries(answer.text))
        let lines = (expected.components(separatedBy: "\r\n"), found.components(separatedBy: "\r\n"))
        guard lines.0.count == lines.1.count else {
            return "text is \(found.debugDescription) instead of \(expected.debugDescription)"
        }
        for (left, right) in zip(lines.0, lines.1) where left != right {
            guard let left = try? JSONValue(parsing: left), let right = try? JSONValue(parsing: right) else {
                return "line '\(right)' instead of '\(left)'"
            }
            if let difference = Self.difference(left, right, "", &sequences) { return difference }
        }
        return nil
    }

    /// Where an exact text was recorded, line ends count.
    private var framingDifference: String? {
        guard let text = exchange.responseText, text.hasPrefix("{\"results\"") else { return nil }
        func frame(_ text: String) -> String { text.filter { "\r\n[]".contains($0) || $0 == "\r\n" } }
        return frame(text) == frame(answer.text) ? nil : "framing is \(answer.text.debugDescription)"
    }

    private static func withoutBoundaries(_ text: String) -> String {
        var text = text
        let matches = text.matches(of: /(?:boundary="|--)([0-9a-f]{60})/).map { String($0.output.1) }
        for (index, boundary) in matches.enumerated() { text = text.replacing(boundary, with: "B\(index)") }
        return text
    }

    private static let volatile: Set<String> = [
        "instance_start_time", "updated_at", "created_at", "session_id", "expires", "vendor", "version", "_exp",
    ]
    private static let sequenceKeys: Set<String> = ["seq", "last_seq", "update_seq", "committed_update_seq"]

    static func difference(
        _ expected: JSONValue, _ found: JSONValue, _ path: String, _ sequences: inout SequenceMap
    ) -> String? {
        switch (expected, found) {
        case (.object(let left), .object(let right)):
            guard Set(left.keys) == Set(right.keys) else {
                return "\(path) has \(right.keys.sorted()) instead of \(left.keys.sorted())"
            }
            for member in left where !volatile.contains(member.key) {
                guard let value = right[member.key] else { continue }
                let inner = "\(path).\(member.key)"
                if sequenceKeys.contains(member.key) {
                    let texts = [member.value, value].map { $0.stringValue ?? $0.description }
                    let isSame = (member.value.stringValue == nil) == (value.stringValue == nil)
                    if isSame, sequences.matches(texts[0], texts[1]) { continue }
                    return "\(inner) is \(value) instead of \(member.value)"
                }
                if let difference = difference(member.value, value, inner, &sequences) { return difference }
            }
            return nil
        case (.array(let left), .array(let right)):
            guard left.count == right.count else { return "\(path) is \(found) instead of \(expected)" }
            for (index, pair) in zip(left, right).enumerated() {
                if let difference = difference(pair.0, pair.1, "\(path)[\(index)]", &sequences) { return difference }
            }
            return nil
        case (.string(let left), .string(let right)):
            return isSame(left, right) ? nil : "\(path) is '\(right)' instead of '\(left)'"
        default: return expected == found ? nil : "\(path) is \(found) instead of \(expected)"
        }
    }

    /// The texts of the JSON reader and of the script engine are their own.
    private static func isSame(_ left: String, _ right: String) -> Bool {
        let made = /[0-9a-f]{32}/
        if left.wholeMatch(of: made) != nil, right.wholeMatch(of: made) != nil { return true }
        // The name under which the bytes lie is each gateway's own.
        if left.hasPrefix("_sync:att2") { return true }
        for start in ["Bad JSON: ", "Invalid JSON: ", "invalid javascript syntax: ", "but had 2 "] {
            if let old = left.range(of: start), let new = right.range(of: start) {
                return left[..<old.upperBound] == right[..<new.upperBound]
            }
        }
        return left == right
    }
}
