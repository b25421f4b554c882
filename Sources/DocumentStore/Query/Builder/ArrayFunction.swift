/// Functions of arrays.
public enum ArrayFunction {
    /// Whether the value is one of the elements.
    public static func contains(
        _ expression: any ExpressionProtocol, value: any ExpressionProtocol
    ) -> any ExpressionProtocol {
        BuiltExpression.call("ARRAY_CONTAINS", arguments: [expression, value])
    }

    /// How many elements there are; 0 where there is no array.
    public static func length(_ expression: any ExpressionProtocol) -> any ExpressionProtocol {
        BuiltExpression.call("ARRAY_LENGTH", arguments: [expression])
    }
}
