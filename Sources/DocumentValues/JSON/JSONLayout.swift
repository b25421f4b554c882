/// The positions of all values of a JSON text: enough for a decoder, at a fraction of the cost of a tree of values.
///
/// A value is named by an index, the outermost one by 0. The members of an object are its names, each followed by its value.
/// The layout is a class because many decoders share it: each copy of a structure would change the reference counts of its
/// lists.
package final class JSONLayout {
    package enum Kind: UInt8, Sendable {
        case null, `false`, `true`, number, text, escapedText, array, object
        /// A name that cannot look like another one.
        case name
        /// One with a character that may be written in another way, and look the same.
        case ambiguousName
        case escapedName
    }

    struct Entry: Sendable {
        let kind: Kind
        /// The first byte; of a text the one after its quotation mark.
        let start: Int32
        /// How many bytes it has; of a container, how many members or elements.
        var extent: Int32
        /// The index of the next entry that is not inside this one.
        var end: Int32
        /// The index of its container; -1 for the outermost value.
        let container: Int32
        /// How many members or elements of its container are before it.
        let ordinal: Int32
    }

    /// A way into a container.
    package enum Step: Sendable, Hashable {
        case member(String)
        case element(Int)
    }

    let bytes: [UInt8]
    let entries: [Entry]
    /// Whether two names might look alike that are not the same. Few documents have such names: all characters before U+0300
    /// are composed as far as they can be.
    package let mayHaveLookAlikes: Bool
    /// The `userInfo` of decoders, for the types that are decoded.
    package let userInfo: [CodingUserInfoKey: Any]

    /// Reads one JSON value that is the whole of `bytes`, apart from white space around it.
    ///
    /// - Parameters:
    ///   - depth: levels of nesting.
    ///   - count: the expected number of values and names; a wrong one only costs time.
    package convenience init(of bytes: [UInt8], depth: Int, expecting count: Int) throws(JSONError) {
        var memory = Memory(expecting: count)
        try self.init(of: bytes, depth: depth, memory: &memory)
    }

    /// The same for one text of many.
    package init(
        of bytes: [UInt8], depth: Int, memory: inout Memory, userInfo: [CodingUserInfoKey: Any] = [:]
    ) throws(JSONError) {
        guard bytes.count < Int32.max else { throw JSONError(.unexpectedEnd, offset: Int(Int32.max)) }
        self.bytes = bytes
        self.userInfo = userInfo
        var found = memory.takeEntries()
        var mayHaveLookAlikes = false
        let failure = bytes.withUnsafeBufferPointer { buffer -> JSONError? in
            do throws(JSONError) {
                var reader = JSONReader(buffer, depth: depth)
                try reader.readLayout(into: &found)
                reader.skipWhitespace()
                mayHaveLookAlikes = reader.mayHaveLookAlikes
                return reader.isAtEnd ? nil : JSONError(.trailingText, offset: reader.position)
            } catch { return error }
        }
        if let failure { throw failure }
        entries = found
        self.mayHaveLookAlikes = mayHaveLookAlikes
    }

    /// How many values and names there are.
    package var count: Int { entries.count }

    // MARK: Structure

    package func kind(of index: Int) -> Kind { entries[index].kind }

    /// Of an object or an array: how many members or elements it has.
    package func count(of index: Int) -> Int { Int(entries[index].extent) }

    /// The index of the next entry that is not inside a value.
    package func end(of index: Int) -> Int { Int(entries[index].end) }

    /// The path from the outermost value to a value.
    package func way(to index: Int) -> [Step] {
        var steps: [Step] = []
        var current = index
        while entries[current].container >= 0 {
            let container = Int(entries[current].container)
            if entries[container].kind == .object {
                steps.append(.member(text(of: current - 1) ?? ""))
            } else {
                steps.append(.element(Int(entries[current].ordinal)))
            }
            current = container
        }
        return steps.reversed()
    }

    // MARK: Scalars

    /// The text that a string or a name is; its form was checked when the layout was made.
    package func text(of index: Int) -> String? {
        let entry = entries[index]
        switch entry.kind {
        case .text, .name, .ambiguousName: return withBytes(of: entry) { String(decoding: $0, as: UTF8.self) }
        case .escapedText, .escapedName:
            return bytes.withUnsafeBufferPointer { buffer in
                try? JSONReader(buffer).string(entry.range, hasEscapes: true)
            }
        case .null, .false, .true, .number, .array, .object: return nil
        }
    }

    /// The spelling of a number.
    package func numberText(of index: Int) -> String {
        withBytes(of: entries[index]) { String(decoding: $0, as: UTF8.self) }
    }

    /// Fast for whole numbers of few digits, which nearly all are; `nil` for others.
    package func smallWhole(of index: Int) -> Int64? {
        withBytes(of: entries[index]) { DecimalDigits<UInt64>($0).int64 }
    }

    /// The magnitude of a whole number, `1.0` and `1e3` among them; `nil` where it is none, or too large.
    package func whole(of index: Int) -> (magnitude: UInt128, isNegative: Bool)? {
        withBytes(of: entries[index]) { bytes in
            let digits = DecimalDigits<UInt128>(bytes)
            return digits.whole.map { ($0, digits.isNegative) }
        }
    }

    /// The `Double` nearest to a number; infinite if it is too large.
    package func double(of index: Int) -> Double {
        withBytes(of: entries[index]) { DecimalDigits<UInt64>($0).double } ?? Double(numberText(of: index)) ?? .infinity
    }

    // MARK: Names

    /// The names of an object's members.
    package func names(of object: Int) -> [String] {
        var names: [String] = []
        names.reserveCapacity(count(of: object))
        var index = object + 1
        while index < end(of: object) {
            names.append(text(of: index) ?? "")
            index = end(of: index + 1)
        }
        return names
    }

    /// Whether the name at an index is `name`, compared by their UTF-8.
    func isName(_ name: String, at index: Int) -> Bool {
        let entry = entries[index]
        guard entry.kind != .escapedName else { return text(of: index)?.isExactly(name) ?? false }
        guard name.utf8.count == Int(entry.extent) else { return false }
        return withBytes(of: entry) { bytes in
            name.utf8.withContiguousStorageIfAvailable { $0.commonPrefix(with: bytes) == bytes.count }
                ?? bytes.elementsEqual(name.utf8)
        }
    }

    private func withBytes<Value>(of entry: Entry, _ body: (UnsafeBufferPointer<UInt8>) -> Value) -> Value {
        bytes.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[entry.range])) }
    }
}

extension JSONLayout {
    /// The memory of layouts that are made one after the other, as for the rows of a query: each takes that of the one before.
    /// It is as large as the largest of them needs.
    package struct Memory {
        private var entries: [Entry] = []

        /// - Parameter count: the number of values and names that a text is expected to have.
        package init(expecting count: Int) { entries.reserveCapacity(count) }

        fileprivate mutating func takeEntries() -> [Entry] {
            var taken: [Entry] = []
            swap(&taken, &entries)
            taken.removeAll(keepingCapacity: true)
            return taken
        }

        /// Gets the memory of a layout that the caller does not use any more. One that a decoder still has keeps its own.
        package mutating func takeBack(_ layout: inout JSONLayout) {
            if isKnownUniquelyReferenced(&layout) { entries = layout.entries }
        }
    }
}

extension JSONLayout.Entry {
    fileprivate var range: Range<Int> { Int(start)..<Int(start) + Int(extent) }
}
