/// An expression in SQL, with how tightly its outermost operator binds: where nothing takes it apart it is written without
/// parentheses. SQLite's parser keeps about a hundred open parentheses and operators at the most, so that a long chain of
/// OR must have none.
struct SQLPiece {
    /// SQLite's precedence, the weakest first. Operators that are not here are in parentheses always.
    enum Strength: Int, Comparable {
        case or, and, not, equality, order, sum, product
        /// A name, a constant, a call, or what is in parentheses.
        case whole

        static func < (left: Strength, right: Strength) -> Bool { left.rawValue < right.rawValue }

        /// Of an operator's right side, where one that is as strong would be taken for the next of a chain.
        var next: Strength { Strength(rawValue: rawValue + 1) ?? .whole }
    }

    /// As it stands between commas, parentheses and keywords.
    let text: String
    let strength: Strength

    init(_ text: String, strength: Strength = .whole) {
        self.text = text
        self.strength = strength
    }

    /// As it stands beside an operator.
    func text(atLeast least: Strength) -> String { strength < least ? "(\(text))" : text }

    /// As it stands anywhere.
    var whole: String { text(atLeast: .whole) }
}

extension BinaryOperator {
    var strength: SQLPiece.Strength {
        switch self {
        case .or: .or
        case .and: .and
        case .equal, .unequal, .same, .notSame: .equality
        case .less, .lessOrEqual, .greater, .greaterOrEqual: .order
        case .add, .subtract: .sum
        case .multiply, .divide, .modulo: .product
        case .concatenate: .whole
        }
    }

    /// Whether it is the same with the parentheses elsewhere: `a OR (b OR c)`.
    var isAssociative: Bool { self == .and || self == .or }
}
