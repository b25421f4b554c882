/// A list that is read in portions, each when it is requested: a long one takes as little memory as a short one, and its
/// beginning can be shown before its end is read.
package struct Portions<Element: Sendable>: Sendable {
    /// Those that are read; empty only at the end of the list.
    package let first: [Element]
    /// Reads those behind them; `nil` if there are none.
    package let rest: (@Sendable () throws -> Portions)?

    /// - Parameter rest: `nil` if `first` is all of the list; otherwise `first` has elements.
    package init(_ first: [Element], rest: (@Sendable () throws -> Portions)? = nil) {
        self.first = first
        self.rest = rest
    }

    /// Elements that are in memory.
    ///
    /// - Parameter size: of a portion.
    package init(_ elements: ArraySlice<Element>, by size: Int) {
        let behind = elements.dropFirst(size)
        let rest: @Sendable () -> Portions = { Portions(behind, by: size) }
        self.init(Array(elements.prefix(size)), rest: behind.isEmpty ? nil : rest)
    }

    /// Several lists, one behind the other; each is begun when those in front of it have ended.
    package init(chaining lists: ArraySlice<@Sendable () throws -> Portions>) throws {
        guard let next = lists.first else {
            self.init([])
            return
        }
        self = try next().followed(by: lists.dropFirst())
    }

    private func followed(by lists: ArraySlice<@Sendable () throws -> Portions>) throws -> Portions {
        if lists.isEmpty { return self }
        if first.isEmpty { return try Portions(chaining: lists) }
        return Portions(first) { [rest] in
            try rest?().followed(by: lists) ?? Portions(chaining: lists)
        }
    }

    /// Whether there is nothing in the list.
    package var isEmpty: Bool { first.isEmpty }

    /// The list that `transform` makes of each portion when it is requested; it may leave out elements.
    package func map<Other: Sendable>(
        _ transform: @escaping @Sendable ([Element]) throws -> [Other]
    ) throws -> Portions<Other> {
        try map(from: ()) { _, elements in try transform(elements) }
    }

    /// The same, where the work on a portion depends on those before it.
    ///
    /// - Parameters:
    ///   - state: for the first portion; each portion changes it for the next one.
    ///   - end: the elements behind the last portion.
    package func map<State: Sendable, Other: Sendable>(
        from state: State, _ transform: @escaping @Sendable (inout State, [Element]) throws -> [Other],
        atEnd end: @escaping @Sendable (State) -> [Other] = { _ in [] }
    ) throws -> Portions<Other> {
        var (state, portion) = (state, self)
        while true {
            let others = try transform(&state, portion.first)
            guard let rest = portion.rest else { return Portions<Other>(others + end(state)) }
            if !others.isEmpty {
                return Portions<Other>(others) { [state] in try rest().map(from: state, transform, atEnd: end) }
            }
            portion = try rest()
        }
    }

    /// Calls `body` with each portion, and reads the next one after it.
    package func forEach(_ body: ([Element]) throws -> Void) throws {
        try body(first)
        var next = rest
        while let read = next {
            let portion = try read()
            try body(portion.first)
            next = portion.rest
        }
    }

    /// All elements, in memory.
    package func all() throws -> [Element] {
        var elements: [Element] = []
        try forEach { elements += $0 }
        return elements
    }
}
