import DocumentValues

/// A text with the styles that its author gave to parts of it.
package struct StyledText: Sendable, Hashable {
    package struct Style: OptionSet, Sendable, Hashable {
        package let rawValue: UInt8

        package init(rawValue: UInt8) { self.rawValue = rawValue }

        package static let bold = Style(rawValue: 1)
        package static let italic = Style(rawValue: 2)
        package static let underlined = Style(rawValue: 4)
        package static let heading = Style(rawValue: 8)
    }

    package struct Run: Sendable, Hashable {
        @Exact package fileprivate(set) var text: String
        package let style: Style
    }

    /// None is empty, and neighbours differ in style.
    package private(set) var runs: [Run] = []

    package init(_ text: String = "", style: Style = []) { append(text, style: style) }

    /// Without the styles.
    package var plain: String { runs.map(\.text).joined() }

    package var isEmpty: Bool { runs.isEmpty }

    package mutating func append(_ text: String, style: Style = []) {
        guard !text.isEmpty else { return }
        guard let last = runs.indices.last, runs[last].style == style else {
            return runs.append(Run(text: text, style: style))
        }
        runs[last].text += text
    }

    package mutating func append(_ other: StyledText) {
        for run in other.runs { append(run.text, style: run.style) }
    }
}

extension StyledText: ExpressibleByStringLiteral {
    package init(stringLiteral text: String) { self.init(text) }
}
