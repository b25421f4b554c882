extension JSONReader {
    /// Skips one value, checks its form, and notes the position of each value inside it. Not by recursion: see `readValue`.
    mutating func readLayout(into entries: inout [JSONLayout.Entry]) throws(JSONError) {
        // Its entry refers to the container around it, so no other list of them is needed.
        var container: Int32 = -1
        while true {
            skipWhitespace()
            let first = try peek()
            if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
                if try openContainer(first, in: container, entries: &entries) {
                    container = Int32(truncatingIfNeeded: entries.count - 1)
                    if first == UInt8(ascii: "{") { try noteName(in: container, entries: &entries) }
                    continue
                }
            } else {
                try noteScalar(first, in: container, entries: &entries)
            }
            container = try closeContainers(from: container, entries: &entries)
            guard container >= 0 else { return }
        }
    }

    /// False for an empty one, which is closed already.
    private mutating func openContainer(
        _ opening: UInt8, in container: Int32, entries: inout [JSONLayout.Entry]
    ) throws(JSONError) -> Bool {
        let isObject = opening == UInt8(ascii: "{")
        note(isObject ? .object : .array, at: position..<position, in: container, entries: &entries)
        try enter(opening)
        skipWhitespace()
        guard try peek() == (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else { return true }
        leave()
        return false
    }

    /// After a value: closes containers until another value follows, and notes the name of that; returns its container,
    /// or -1 at the end.
    private mutating func closeContainers(
        from innermost: Int32, entries: inout [JSONLayout.Entry]
    ) throws(JSONError) -> Int32 {
        var container = innermost
        while container >= 0 {
            let index = Int(container)
            let isObject = entries[index].kind == .object
            entries[index].extent += 1
            guard try endOfContainer(isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else {
                if isObject { try noteName(in: container, entries: &entries) }
                return container
            }
            entries[index].end = Int32(truncatingIfNeeded: entries.count)
            container = entries[index].container
        }
        return container
    }

    private mutating func noteName(in container: Int32, entries: inout [JSONLayout.Entry]) throws(JSONError) {
        let name = try skipKey()
        let kind: JSONLayout.Kind =
            name.hasEscapes ? .escapedName : hasAmbiguousCharacters(name.range) ? .ambiguousName : .name
        if kind != .name { mayHaveLookAlikes = true }
        note(kind, at: name.range, in: container, entries: &entries)
    }

    private mutating func noteScalar(
        _ first: UInt8, in container: Int32, entries: inout [JSONLayout.Entry]
    ) throws(JSONError) {
        let start = position
        switch first {
        case UInt8(ascii: "\""):
            let text = try skipString()
            note(text.hasEscapes ? .escapedText : .text, at: text.range, in: container, entries: &entries)
        case UInt8(ascii: "t"):
            try expect("true")
            note(.true, at: start..<position, in: container, entries: &entries)
        case UInt8(ascii: "f"):
            try expect("false")
            note(.false, at: start..<position, in: container, entries: &entries)
        case UInt8(ascii: "n"):
            try expect("null")
            note(.null, at: start..<position, in: container, entries: &entries)
        default:
            note(.number, at: try skipNumber(), in: container, entries: &entries)
        }
    }

    private func note(
        _ kind: JSONLayout.Kind, at range: Range<Int>, in container: Int32, entries: inout [JSONLayout.Entry]
    ) {
        entries.append(
            JSONLayout.Entry(
                kind: kind, start: Int32(truncatingIfNeeded: range.lowerBound),
                extent: Int32(truncatingIfNeeded: range.count), end: Int32(truncatingIfNeeded: entries.count + 1),
                container: container, ordinal: container >= 0 ? entries[Int(container)].extent : 0))
    }
}
