import DocumentValues

/// Writes `${name}` for the paths of an XForm's expressions where it means the same node.
struct PathReferences {
    private let tree: InstanceTree
    private let repeats: Set<XFormPath>
    private let isGenerated: Bool
    /// Instances of files by their ids, where we call them by the file.
    let instanceNames: [Name: Name]
    /// Nodes by their names; `nil` for a name of several.
    private var byName: [Name: XFormPath?] = [:]

    init(
        tree: InstanceTree, repeats: Set<XFormPath>, isGenerated: Bool, instanceNames: [Name: Name] = [:]
    ) {
        self.instanceNames = instanceNames
        self.tree = tree
        self.repeats = repeats
        self.isGenerated = isGenerated
        for path in tree.paths {
            if byName.updateValue(path, forKey: path.last) != nil { byName.updateValue(nil, forKey: path.last) }
        }
    }

    /// The expression with references for paths.
    ///
    /// - Parameter context: the node that the expression belongs to.
    func converted(_ expression: String, context: XFormPath?) -> String {
        var scanner = PathScanner(expression)
        var result: [UInt8] = []
        while let part = scanner.next() {
            switch part {
            case .other(let bytes): result += bytes
            case .path(let text):
                if let reference = reference(for: text, context: context) {
                    if isSpaced(scanner, after: result) {
                        result.removeLast()
                        scanner.skipSpace()
                    }
                    result += Array("${\(reference)}".utf8)
                } else {
                    result += Array(text.utf8)
                }
            }
        }
        return renamed(lastSaved(String(decoding: result, as: UTF8.self))).trimmingSpaces
    }

    /// Whether the spaces on both sides are those with which pyxform surrounds a reference.
    private func isSpaced(_ scanner: PathScanner, after result: [UInt8]) -> Bool {
        guard isGenerated, result.last == 0x20, scanner.isAtSpace else { return false }
        let before = result.dropLast().last
        return before.map { !XFormPath.isName($0) } ?? true
    }

    private func reference(for text: String, context: XFormPath?) -> String? {
        if text.utf8.first == UInt8(ascii: "/") {
            guard let path = XFormPath(text) else { return nil }
            return reference(for: path)
        }
        // Only pyxform's own relative paths were references.
        guard isGenerated, let context, let path = resolved(text, from: context) else { return nil }
        let isShared = repeats.contains { $0 != path && path.hasPrefix($0) && context.hasPrefix($0) && $0 != context }
        return isShared ? reference(for: path) : nil
    }

    private func reference(for path: XFormPath) -> String? {
        guard path.steps.count > 1, let found = byName[path.last], found == path else { return nil }
        return path.last.text
    }

    /// The node of `../../a/b` or `current()/../a`.
    private func resolved(_ text: String, from context: XFormPath) -> XFormPath? {
        var rest = text.droppingExactPrefix("current()/") ?? text
        var path = context
        while let next = rest.droppingExactPrefix("../") {
            guard path.steps.count > 1 else { return nil }
            path = path.parent
            rest = next
        }
        for step in rest.split(atByte: "/") { path = path.appending(Name(step)) }
        return tree[path] == nil ? nil : path
    }

    private func renamed(_ text: String) -> String {
        guard !instanceNames.isEmpty, text.containsBytes(of: "instance(") else { return text }
        return text.replacing(/instance\(\s*(?:'([^']*)'|"([^"]*)")\s*\)/) { found in
            let id = Name(String(found.1 ?? found.2 ?? ""))
            return instanceNames[id].map { "instance('\($0.text)')" } ?? String(found.0)
        }
    }

    /// `instance('__last-saved')/data/a` is `${last-saved#a}`.
    private func lastSaved(_ text: String) -> String {
        guard text.containsBytes(of: "__last-saved") else { return text }
        return text.replacing(/\s?instance\('__last-saved'\)((?:\/[A-Za-z_0-9.\-]+)+)\s?/) { match in
            guard let path = XFormPath(String(match.1)), let name = reference(for: path) else {
                return String(match.0)
            }
            return "${last-saved#\(name)}"
        }
    }
}

/// Cuts an expression into paths and the rest. Texts in quotation marks are no paths.
private struct PathScanner {
    enum Part {
        case path(String)
        case other([UInt8])
    }

    private let bytes: [UInt8]
    private var position = 0

    init(_ text: String) { bytes = Array(text.utf8) }

    var isAtSpace: Bool { position < bytes.count && bytes[position] == 0x20 }

    mutating func skipSpace() { position += 1 }

    mutating func next() -> Part? {
        guard position < bytes.count else { return nil }
        let start = position
        let byte = bytes[position]
        if byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") {
            position += 1
            while position < bytes.count, bytes[position] != byte { position += 1 }
            position = min(bytes.count, position + 1)
            return .other(Array(bytes[start..<position]))
        }
        if let end = pathEnd() {
            position = end
            return .path(String(decoding: bytes[start..<end], as: UTF8.self))
        }
        if XFormPath.isName(byte) {
            while position < bytes.count, XFormPath.isName(bytes[position]) { position += 1 }
        } else {
            position += 1
        }
        return .other(Array(bytes[start..<position]))
    }

    /// The end of a path that begins here. One that goes on from another, as behind `)`, begins no operand.
    private func pathEnd() -> Int? {
        var index = position
        let isRelative = begins("../", at: index) || begins("current()/../", at: index)
        if position > 0, continues(bytes[position - 1]) { return nil }
        if isRelative {
            if begins("current()/", at: index) { index += 10 }
            while begins("../", at: index) { index += 3 }
            guard index < bytes.count, XFormPath.isName(bytes[index]) else { return nil }
            index -= 1
        }
        var end: Int?
        while index < bytes.count, isRelative && end == nil || bytes[index] == UInt8(ascii: "/") {
            var last = index + 1
            while last < bytes.count, XFormPath.isName(bytes[last]) { last += 1 }
            guard last > index + 1 else { break }
            // `name(` is a function, `name:` a prefix or an axis.
            if last < bytes.count, bytes[last] == UInt8(ascii: "(") || bytes[last] == UInt8(ascii: ":") { break }
            end = last
            index = last
        }
        return end
    }

    private func begins(_ text: StaticString, at index: Int) -> Bool {
        text.withUTF8Buffer { index < bytes.count && bytes[index...].starts(with: $0) }
    }

    private func continues(_ byte: UInt8) -> Bool {
        XFormPath.isName(byte) || byte == UInt8(ascii: ")") || byte == UInt8(ascii: "]") || byte == UInt8(ascii: "*")
            || byte == UInt8(ascii: "/") || byte == UInt8(ascii: "}") || byte == UInt8(ascii: "@")
    }
}
