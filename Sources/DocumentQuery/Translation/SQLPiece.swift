/// An expression in SQL, with the precedence of its outermost operator: it gets parentheses only where they are needed.
/// SQLite's parser allows about a hundred open parentheses and operators, so a long chain of OR must have none.
struct SQLPiece {
    /// SQLite's precedence, the weakest first. Other operators are always in parentheses.
    enum Strength: Int, Comparable {
        case or, and, not, equality, order, sum, product
        /// A name, a constant, a call, or an expression in parentheses.
        case whole

        static func < (left: Strength, right: Strength) -> Bool { left.rawValue < right.rawValue }

        /// The strength that the right side of an operator needs: an operator of the same strength would be read as the
        /// next of the chain.
        var next: Strength { Strength(rawValue: rawValue + 1) ?? .whole }
    }

    /// For use between commas, parentheses and keywords.
    let text: String
    let strength: Strength

    init(_ text: String, strength: Strength = .whole) {
        self.text = text
        self.strength = strength
    }

    /// For use beside an operator.
    func text(atLeast least: Strength) -> String { strength < least ? "(\(text))" : text }

    /// For use in any position.
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

    /// Whether the parentheses do not matter: `a OR (b OR c)`.
    var isAssociative: Bool { self == .and || self == .or }
}
