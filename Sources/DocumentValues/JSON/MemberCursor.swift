/// Finds an object's members by their names: at once if they are requested in their order, as a type's own decoder does.
/// It is a class, because containers share it whose methods are not mutating.
package final class MemberCursor {
    /// Comparing a name with up to so many members is faster than hashing it.
    private static let fewMembers = 16

    package let layout: JSONLayout
    /// The index of the object.
    package let object: Int
    private let end: Int
    private let isSmall: Bool
    /// The next name, and the one that was found last, as indexes. The last one may be requested several times: whether it
    /// exists, whether it is null, and its value.
    private var next: Int
    private var last: Int
    private var names: [Name: Int]?

    /// - Parameter object: the index of an object.
    package init(_ object: Int, in layout: JSONLayout) {
        self.layout = layout
        self.object = object
        end = layout.end(of: object)
        isSmall = layout.count(of: object) <= Self.fewMembers
        next = object + 1
        last = object + 1
    }

    /// The index of a member's value; `nil` where there is none of exactly that name.
    package func find(_ name: String) -> Int? {
        if next < end, layout.isName(name, at: next) { return take(next) }
        if last < end, layout.isName(name, at: last) { return last + 1 }
        return search(name).map { take($0) }
    }

    private func take(_ index: Int) -> Int {
        last = index
        next = layout.end(of: index + 1)
        return index + 1
    }

    private func search(_ name: String) -> Int? {
        guard isSmall else { return indexed()[Name(name)] }
        var index = object + 1
        while index < end {
            if layout.isName(name, at: index) { return index }
            index = layout.end(of: index + 1)
        }
        return nil
    }

    private func indexed() -> [Name: Int] {
        if let names { return names }
        var found: [Name: Int] = [:]
        var index = object + 1
        while index < end {
            if let name = layout.text(of: index) { found[Name(name)] = index }
            index = layout.end(of: index + 1)
        }
        names = found
        return found
    }
}
