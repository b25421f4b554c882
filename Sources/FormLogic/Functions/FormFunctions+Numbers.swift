import DocumentValues
import Glibc

extension FormFunctions {
    static let numbers: [FormFunction: Function] = [
        .number: { .number($0.number(0, state: &$1)) },
        .int: { .number($0.number(0, state: &$1).rounded(.towardZero)) },
        .floor: { .number($0.number(0, state: &$1).rounded(.down)) },
        .ceiling: { .number($0.number(0, state: &$1).rounded(.up)) },
        .round: { arguments, state in
            let value = arguments.number(0, state: &state)
            let decimals = arguments.count > 1 ? arguments.number(1, state: &state).rounded(.towardZero) : 0
            guard let decimals = Int(exactly: decimals) else { return .notANumber }
            return .number(DecimalRounding.round(value, decimals: decimals))
        },
        .pi: { _, _ in .number(.pi) },
        .random: { .number($1.random.fraction()) },
        .uuid: { uuid($0, state: &$1) },
    ]

    static let arithmetic: [FormFunction: Function] = [
        .pow: ofTwo { pow($0, $1) }, .atan2: ofTwo { atan2($0, $1) },
        .exp: ofOne { exp($0) }, .exp10: ofOne { pow(10, $0) }, .log: ofOne { log($0) }, .log10: ofOne { log10($0) },
        .sqrt: ofOne { $0.squareRoot() }, .abs: ofOne { abs($0) }, .sin: ofOne { sin($0) }, .cos: ofOne { cos($0) },
        .tan: ofOne { tan($0) }, .asin: ofOne { asin($0) }, .acos: ofOne { acos($0) }, .atan: ofOne { atan($0) },
    ]

    private static func ofOne(_ body: @escaping @Sendable (Double) -> Double) -> Function {
        { .number(body($0.fractionalNumber(0, state: &$1))) }
    }

    private static func ofTwo(_ body: @escaping @Sendable (Double, Double) -> Double) -> Function {
        { arguments, state in
            let first = arguments.fractionalNumber(0, state: &state)
            return .number(body(first, arguments.fractionalNumber(1, state: &state)))
        }
    }

    private static let letters = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)

    private static func uuid(_ arguments: FunctionArguments, state: inout FunctionState) -> FormValue {
        guard arguments.count > 0 else { return .text(RandomUUID.text(from: &state.random)) }
        let number = arguments.number(0, state: &state).rounded(.towardZero)
        guard let count = Int(exactly: number), (0...FormLimits.randomLetters).contains(count) else {
            state.report(.limit, in: "uuid")
            return .empty
        }
        let bytes = (0..<count).map { _ in letters[Int.random(in: letters.indices, using: &state.random)] }
        return .text(String(decoding: bytes, as: UTF8.self))
    }
}

/// A UUID of version 4.
package enum RandomUUID {
    /// In lower case, with hyphens.
    package static func text(from random: inout FormRandom) -> String {
        var bytes = (0..<16).map { _ in UInt8.random(in: 0...255, using: &random) }
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        let digits = Array(Hexadecimal.encode(bytes).utf8)
        let parts = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(decoding: digits[$0], as: UTF8.self) }
        return parts.joined(separator: "-")
    }
}
