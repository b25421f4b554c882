import DocumentValues

/// A text for people that advises them. Marks in it show where a program may name its own command for the advice.
///
///     "There is no Fieldbook folder at \(path). Make one\(with: .makeFolder, or: ".")"
public struct AdvisedText: Sendable, Hashable {
    /// Whole without any program's ways.
    @Exact public private(set) var text = ""
    /// In their order.
    public private(set) var marks: [Mark] = []

    /// Where a way is named.
    public struct Mark: Sendable, Hashable, Codable {
        public let advice: Advice
        let form: Form
        /// The offset of the first byte; `length` bytes of the text are replaced.
        let offset: Int
        let length: Int
    }

    /// How a way is named.
    enum Form: String, Sendable, Hashable, Codable {
        /// Behind the advice: `take the photo out (photo remove)`.
        case bracketed
        /// `look again: conflicts`
        case colon
        /// `Sign in with: fieldbook login`
        case with
        /// As a part of the sentence.
        case bare

        fileprivate func text(_ way: String) -> String {
            switch self {
            case .bracketed: " (\(way))"
            case .colon: ": \(way)"
            case .with: " with: \(way)"
            case .bare: way
            }
        }
    }

    public init() {}

    /// A stored text, or one without advice. Marks that do not fit the text have no effect.
    public init(text: String, marks: [Mark] = []) {
        self.text = text
        self.marks = marks
    }

    /// The text with a program's own ways.
    public func naming(_ way: (Advice) -> String) -> String {
        let bytes = Array(text.utf8)
        var named: [UInt8] = []
        var end = 0
        for mark in marks where mark.fits(bytes.count, after: end) {
            named += bytes[end..<mark.offset]
            named += mark.form.text(way(mark.advice)).utf8
            end = mark.offset + mark.length
        }
        return String(decoding: named + bytes[end...], as: UTF8.self)
    }

    /// At most `limit` bytes of it, and a `…` if something was cut off.
    package func shortened(toBytes limit: Int) -> AdvisedText {
        guard text.utf8.count > limit else { return self }
        let cut = text.shortened(toBytes: limit)
        let kept = cut.utf8.count - "…".utf8.count
        return AdvisedText(text: cut, marks: marks.filter { $0.fits(kept, after: 0) })
    }

    fileprivate mutating func append(_ other: AdvisedText) {
        let offset = text.utf8.count
        marks += other.marks.map {
            Mark(advice: $0.advice, form: $0.form, offset: offset + $0.offset, length: $0.length)
        }
        text += other.text
    }

    fileprivate mutating func mark(_ advice: Advice, as form: Form, or plain: String) {
        marks.append(Mark(advice: advice, form: form, offset: text.utf8.count, length: plain.utf8.count))
        text += plain
    }
}

extension AdvisedText.Mark {
    fileprivate func fits(_ count: Int, after end: Int) -> Bool {
        offset >= end && length >= 0 && length <= count && offset <= count - length
    }
}

extension AdvisedText: ExpressibleByStringInterpolation {
    public init(stringLiteral text: String) { self.text = text }
    public init(stringInterpolation parts: Interpolation) { self = parts.text }

    public struct Interpolation: StringInterpolationProtocol {
        fileprivate var text = AdvisedText()

        public init(literalCapacity: Int, interpolationCount: Int) {}

        public mutating func appendLiteral(_ literal: String) { text.text += literal }
        public mutating func appendInterpolation(_ part: String) { text.text += part }
        public mutating func appendInterpolation(_ number: Int) { text.text += "\(number)" }
        public mutating func appendInterpolation(_ part: AdvisedText) { text.append(part) }

        public mutating func appendInterpolation(bracketed advice: Advice) { text.mark(advice, as: .bracketed, or: "") }

        /// - Parameter plain: the text there for programs without a command.
        public mutating func appendInterpolation(colon advice: Advice, or plain: String = "") {
            text.mark(advice, as: .colon, or: plain)
        }

        public mutating func appendInterpolation(with advice: Advice, or plain: String = "") {
            text.mark(advice, as: .with, or: plain)
        }

        public mutating func appendInterpolation(way advice: Advice, or plain: String) {
            text.mark(advice, as: .bare, or: plain)
        }
    }
}

extension AdvisedText: CustomStringConvertible {
    public var description: String { text }
}

extension DefaultStringInterpolation {
    /// In a text of its own an advice would lose its ways without a notice: `AdvisedText.naming` asks for them.
    @available(*, unavailable, message: "a program names its ways with AdvisedText.naming")
    public mutating func appendInterpolation(_ text: AdvisedText) {}
}
