import Glibc

/// Swift text without its comments and without what is in quotation marks, but for what is interpolated there, line by line:
/// what rules of code look at.
struct SwiftCode {
    let lines: [String]

    init(_ text: String) {
        var reader = Reader(Array(text.utf8))
        lines = reader.code().split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map {
            String(decoding: $0, as: UTF8.self)
        }
    }

    private struct Reader {
        private static let quote = UInt8(ascii: "\"")
        private static let slash = UInt8(ascii: "/")
        private static let star = UInt8(ascii: "*")
        private static let hash = UInt8(ascii: "#")
        private static let lineEnd = UInt8(ascii: "\n")

        private let bytes: [UInt8]
        /// The same for C, with a zero at the end.
        private let text: [CChar]
        private var position = 0
        private var kept: [UInt8] = []

        init(_ bytes: [UInt8]) {
            self.bytes = bytes
            text = bytes.map { CChar(bitPattern: $0) } + [0]
            kept.reserveCapacity(bytes.count)
        }

        /// How many bytes come before the next of these marks. The C library counts them: a loop of ours takes seconds for
        /// all files, without optimization.
        private func length(before marks: String) -> Int {
            text.withUnsafeBufferPointer { text in text.baseAddress.map { strcspn($0 + position, marks) } ?? 0 }
        }

        mutating func code() -> [UInt8] {
            while position < bytes.count {
                let plain = length(before: "\"/#")
                kept += bytes[position..<position + plain]
                position += plain
                guard position < bytes.count else { break }
                switch (bytes[position], byte(after: 1)) {
                case (Self.slash, Self.slash): position += length(before: "\n")
                case (Self.slash, Self.star): skipBlockComment()
                case (Self.quote, _): skipString()
                case (Self.hash, _) where isRawString: skipString()
                case (let byte, _):
                    kept.append(byte)
                    position += 1
                }
            }
            return kept
        }

        private func byte(after offset: Int) -> UInt8? {
            position + offset < bytes.count ? bytes[position + offset] : nil
        }

        private func begins(with part: [UInt8]) -> Bool {
            position + part.count <= bytes.count && part.indices.allSatisfy { bytes[position + $0] == part[$0] }
        }

        /// One or more `#` and a quotation mark.
        private var isRawString: Bool { bytes[position...].first { $0 != Self.hash } == Self.quote }

        private mutating func skipBlockComment() {
            var depth = 0
            repeat {
                switch (bytes[position], byte(after: 1)) {
                case (Self.slash, Self.star):
                    depth += 1
                    position += 2
                case (Self.star, Self.slash):
                    depth -= 1
                    position += 2
                default: pass()
                }
            } while depth > 0 && position < bytes.count
        }

        /// Keeps the marks, so that it stays a value, and the lines of one with several.
        private mutating func skipString() {
            let start = position
            while bytes[position] == Self.hash { position += 1 }
            let hashes = Array(repeating: Self.hash, count: position - start)
            let triple = Array(repeating: Self.quote, count: 3)
            // `#"""#` is a quotation mark in a line.
            let hasLines = begins(with: triple) && (hashes.isEmpty || !begins(with: triple + hashes))
            let mark = hasLines ? triple : [Self.quote]
            let (end, escape) = (mark + hashes, [UInt8(ascii: "\\")] + hashes)
            position += mark.count
            kept.append(Self.quote)
            while true {
                position += length(before: "\"\\\n")
                guard position < bytes.count, !begins(with: end) else { break }
                // A mark in a literal that is no string, such as a regular expression, must not swallow the lines after it.
                if mark.count == 1, bytes[position] == Self.lineEnd { return kept.append(Self.quote) }
                guard begins(with: escape) else {
                    pass()
                    continue
                }
                position += escape.count
                if byte(after: 0) == UInt8(ascii: "(") { keepInterpolation() } else { pass() }
            }
            position = min(bytes.count, position + end.count)
            kept.append(Self.quote)
        }

        /// An interpolation is code, and may hold quotation marks of its own.
        private mutating func keepInterpolation() {
            var depth = 0
            repeat {
                switch bytes[position] {
                case UInt8(ascii: "("): depth += 1
                case UInt8(ascii: ")"): depth -= 1
                case Self.quote:
                    skipString()
                    continue
                case Self.hash where isRawString:
                    skipString()
                    continue
                default: break
                }
                kept.append(bytes[position])
                position += 1
            } while depth > 0 && position < bytes.count
        }

        private mutating func pass() {
            if position < bytes.count, bytes[position] == Self.lineEnd { kept.append(Self.lineEnd) }
            position += 1
        }
    }
}

extension String {
    /// Whether one of them is in it, byte for byte. Regular expressions are slow, and few lines hold what they begin with:
    /// ask this first.
    func holds(anyOf parts: [String]) -> Bool {
        withCString { text in parts.contains { strstr(text, $0) != nil } }
    }
}
