import DocumentValues

extension FormFunctions {
    static let texts: [FormFunction: Function] = [
        .string: { .text($0.text(0, state: &$1)) },
        .contains: { arguments, state in
            let text = arguments.text(0, state: &state)
            return .boolean(TextSearch.contains(arguments.text(1, state: &state), in: text))
        },
        .startsWith: { arguments, state in
            let text = arguments.text(0, state: &state)
            return .boolean(text.hasExactPrefix(arguments.text(1, state: &state)))
        },
        .endsWith: { arguments, state in
            let text = arguments.text(0, state: &state)
            return .boolean(text.hasExactSuffix(arguments.text(1, state: &state)))
        },
        .substr: { arguments, state in
            let units = Array(arguments.text(0, state: &state).utf16)
            let start = index(arguments.number(1, state: &state), in: units.count)
            let end = arguments.count > 2 ? index(arguments.number(2, state: &state), in: units.count) : units.count
            return .text(start < end ? String(decoding: units[start..<end], as: UTF16.self) : "")
        },
        .substring: { substring($0, state: &$1) },
        .substringBefore: { arguments, state in
            let text = arguments.text(0, state: &state)
            let offset = TextSearch.offset(of: arguments.text(1, state: &state), in: text)
            return .text(offset.map { String(decoding: text.utf8.prefix($0), as: UTF8.self) } ?? "")
        },
        .substringAfter: { arguments, state in
            let (text, part) = (arguments.text(0, state: &state), arguments.text(1, state: &state))
            let offset = TextSearch.offset(of: part, in: text)
            return .text(
                offset.map { String(decoding: text.utf8.dropFirst($0 + part.utf8.count), as: UTF8.self) } ?? "")
        },
        .translate: { translate($0, state: &$1) },
        .stringLength: { .number(Double($0.text(0, state: &$1).utf16.count)) },
        .normalizeSpace: { .text($0.text(0, state: &$1).spacedParts.joined(separator: " ")) },
    ]

    /// From 0; a negative one counts from the end; one out of range is cut.
    private static func index(_ number: Double, in count: Int) -> Int {
        guard !number.isNaN else { return 0 }
        let whole = number.rounded(.towardZero)
        return Int(min(max(whole < 0 ? whole + Double(count) : whole, 0), Double(count)))
    }

    /// XPath's own: from 1, with rounded limits.
    private static func substring(_ arguments: FunctionArguments, state: inout FunctionState) -> FormValue {
        let units = Array(arguments.text(0, state: &state).utf16)
        let start = (arguments.number(1, state: &state) + 0.5).rounded(.down)
        let length = arguments.count > 2 ? (arguments.number(2, state: &state) + 0.5).rounded(.down) : .infinity
        guard !start.isNaN, !(start + length).isNaN else { return .empty }
        let first = Int(min(max(start - 1, 0), Double(units.count)))
        let end = Int(min(max(start + length - 1, 0), Double(units.count)))
        return .text(first < end ? String(decoding: units[first..<end], as: UTF16.self) : "")
    }

    private static func translate(_ arguments: FunctionArguments, state: inout FunctionState) -> FormValue {
        let text = arguments.text(0, state: &state)
        let from = Array(arguments.text(1, state: &state).unicodeScalars)
        let to = Array(arguments.text(2, state: &state).unicodeScalars)
        var partners: [Unicode.Scalar: Unicode.Scalar?] = [:]
        for (index, scalar) in from.enumerated() where partners[scalar] == nil {
            partners[scalar] = .some(index < to.count ? to[index] : nil)
        }
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch partners[scalar] {
            case .none: result.append(scalar)
            case .some(.none): break
            case .some(.some(let partner)): result.append(partner)
            }
        }
        return .text(String(result))
    }
}
