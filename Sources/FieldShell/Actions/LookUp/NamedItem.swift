import DocumentValues

/// The item of a list that a user means by the id of its record, or by a beginning of that.
enum NamedItem<Item> {
    case none
    case one(Item)
    case several(Int)

    /// - Parameters:
    ///   - text: what the user typed. An empty one names nothing: a variable of a script that is not set.
    ///   - takesBeginnings: false where only a whole id counts. A beginning counts only if no item has it as its whole id.
    ///   - ids: the id of an item's record, and the one that people see, without its kind.
    init(
        _ text: String, among items: [Item], takesBeginnings: Bool = true,
        ids: (Item) -> (whole: String, short: String)
    ) {
        var found = items.filter { item in
            let ids = ids(item)
            return ids.whole.isExactly(text) || ids.short.isExactly(text)
        }
        if found.isEmpty, takesBeginnings, !text.isEmpty {
            found = items.filter { IDBeginning(text).abbreviates(ids($0).short) }
        }
        switch found.count {
        case 0: self = .none
        case 1: self = .one(found[0])
        case let count: self = .several(count)
        }
    }
}
