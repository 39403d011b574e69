// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {FalseToken} from "../mocks/Tokens.sol";
import "./Operations.sol";

/// @dev A TOK or USDC that answers a transfer with false and moves nothing:
///   every operation that moves it is refused whole, with the token named, and leaves everything as it was
///   operations that do not move it go on
///   once it returns the truth again, each of them succeeds
contract FalseReturnTest is Operations {
    FalseToken private falseTok;
    FalseToken private falseUsdc;
    Operation[] private operations;

    function setUp() public override {
        super.setUp();
        falseTok = new FalseToken();
        falseUsdc = new FalseToken();
        enterMarketOf(address(falseTok), address(falseUsdc));
        Operation[] memory list = readyOperations();
        for (uint256 index = 0; index < list.length; ++index) {
            operations.push(list[index]);
        }
    }

    function test_aTokThatAnswersFalseStopsExactlyWhatMovesTok() public {
        assertStopped(falseTok, false);
    }

    function test_aUsdcThatAnswersFalseStopsExactlyWhatMovesUsdc() public {
        assertStopped(falseUsdc, true);
    }

    function assertStopped(FalseToken token, bool isUsdc) private {
        for (uint256 index = 0; index < operations.length; ++index) {
            Operation memory operation = operations[index];
            bool moves = operation.held.length != 0 && operation.movesUsdc == isUsdc;
            uint256 snapshotId = vm.snapshotState();
            bytes32 before = marketDigest();
            token.setRefusing(true);
            (bool success, bytes memory answer) = attempt(operation);
            assertEq(success, !moves, operation.name);
            if (moves) {
                bytes4 failure = SafeERC20.SafeERC20FailedOperation.selector;
                assertEq(answer, abi.encodeWithSelector(failure, address(token)), operation.name);
                assertEq(marketDigest(), before, operation.name);
                token.setRefusing(false);
                run(operation);
            }
            vm.revertToState(snapshotId);
        }
    }
}
